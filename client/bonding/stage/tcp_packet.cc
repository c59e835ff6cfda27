#include "bonding/stage/tcp_packet.hh"

#include <algorithm>

#include "bonding/inner/inner_packet.hh"
#include "bonding/inner/tcp_segment.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kMapped = 10, kIpv4 = 4;  // RFC 4291: where ffff stands before an address of IPv4

PeerAddress end_of(ByteSpan address, std::uint32_t port) {
  PeerAddress end{.port = static_cast<std::uint16_t>(port)};
  if (address.size() == kIpv4) end.address[kMapped] = end.address[kMapped + 1] = std::byte{0xff};
  std::ranges::copy(address, end.address.end() - static_cast<std::ptrdiff_t>(address.size()));
  return end;
}

}  // namespace

std::optional<TcpPacket> TcpPacket::read(ByteSpan packet) {
  const auto segment = TcpSegment::in(packet);
  const auto addresses = inner_addresses(packet);
  if (!segment || !addresses) return std::nullopt;
  const auto number = [&](std::size_t place, std::size_t width) {
    return number_at(packet, segment->tcp + place, width);
  };
  const std::uint32_t flags = number(TcpSegment::kFlags, 1);
  return TcpPacket{.source = end_of(addresses->source, number(0, 2)),
                   .destination = end_of(addresses->destination, number(2, 2)),
                   .syn = (flags & TcpSegment::kSyn) != 0,
                   .ack = (flags & TcpSegment::kAck) != 0,
                   .fin = (flags & TcpSegment::kFin) != 0,
                   .rst = (flags & TcpSegment::kRst) != 0,
                   .sequence = number(TcpSegment::kSequence, 4),
                   .acknowledgment = number(TcpSegment::kAcknowledgment, 4),
                   .length = static_cast<std::uint32_t>(packet.size() - segment->payload),
                   .window = static_cast<std::uint16_t>(number(TcpSegment::kWindow, 2))};
}

}  // namespace tributary::bonding
