#include "bonding/inner/tcp_segment.hh"

#include <cstring>

#include "bonding/inner/internet_checksum.hh"

namespace tributary::bonding {
namespace {

constexpr std::size_t kIpv4Header = 20, kIpv6Header = 40, kTcpHeader = 20, kIpv4Sum = 10;
constexpr std::uint16_t kTcpNumber = 6;      // of the protocol
constexpr std::uint32_t kFragment = 0x3fff;  // the flag "more", and the offset

}  // namespace

std::uint32_t number_at(std::span<const std::byte> packet, std::size_t offset, std::size_t width) {
  std::uint32_t number = 0;
  for (const std::byte byte : packet.subspan(offset, width))
    number = number << 8 | std::to_integer<std::uint32_t>(byte);
  return number;
}

void write_number(std::span<std::byte> packet, std::size_t offset, std::size_t width, std::uint32_t number) {
  for (std::size_t i = width; i-- > 0; number >>= 8) packet[offset + i] = static_cast<std::byte>(number & 0xff);
}

void write_sum(std::span<std::byte> packet, std::size_t offset, std::uint16_t sum) {
  std::memcpy(packet.data() + offset, &sum, sizeof sum);
}

std::optional<TcpSegment> TcpSegment::in(std::span<const std::byte> packet) {
  if (packet.size() < kIpv4Header + kTcpHeader) return std::nullopt;
  const std::uint32_t version = number_at(packet, 0, 1) >> 4;
  TcpSegment segment;
  if (version == 4) {
    segment.tcp = std::size_t{number_at(packet, 0, 1) & 15} * 4;
    if (segment.tcp < kIpv4Header || number_at(packet, 9, 1) != kTcpNumber ||
        (number_at(packet, 6, 2) & kFragment) != 0)
      return std::nullopt;
  } else if (version == 6) {
    segment.ipv6 = true;
    segment.tcp = kIpv6Header;
    if (number_at(packet, 6, 1) != kTcpNumber) return std::nullopt;  // with extensions it is left as it is
  } else {
    return std::nullopt;
  }
  if (packet.size() < segment.tcp + kTcpHeader) return std::nullopt;
  const std::size_t header = std::size_t{number_at(packet, segment.tcp + 12, 1) >> 4} * 4;
  segment.payload = segment.tcp + header;
  if (header < kTcpHeader || packet.size() < segment.payload) return std::nullopt;
  const std::size_t length = segment.ipv6 ? kIpv6Header + number_at(packet, 4, 2) : number_at(packet, 2, 2);
  if (length != packet.size()) return std::nullopt;
  return segment;
}

std::uint16_t TcpSegment::pseudo_sum(std::span<const std::byte> packet, std::size_t length) const {
  InternetChecksum sum;
  sum.add(ipv6 ? packet.subspan(8, 32) : packet.subspan(12, 8));
  sum.add_number(static_cast<std::uint16_t>(length >> 16));
  sum.add_number(static_cast<std::uint16_t>(length));
  sum.add_number(kTcpNumber);
  return sum.folded();
}

bool TcpSegment::checksum_is_right(std::span<const std::byte> packet) const {
  InternetChecksum sum;
  const std::uint16_t pseudo = pseudo_sum(packet, packet.size() - tcp);
  sum.add(std::as_bytes(std::span{&pseudo, 1}));
  sum.add(packet.subspan(tcp));
  return sum.complement() == 0;
}

void TcpSegment::write_checksum(std::span<std::byte> packet) const {
  write_sum(packet, tcp + kChecksum, pseudo_sum(packet, packet.size() - tcp));
  InternetChecksum sum;
  sum.add(packet.subspan(tcp));
  write_sum(packet, tcp + kChecksum, sum.complement());
}

void TcpSegment::write_length(std::span<std::byte> packet) const {
  if (ipv6) return write_number(packet, 4, 2, static_cast<std::uint32_t>(packet.size() - kIpv6Header));
  write_number(packet, 2, 2, static_cast<std::uint32_t>(packet.size()));
  write_sum(packet, kIpv4Sum, 0);
  InternetChecksum sum;
  sum.add(packet.first(tcp));
  write_sum(packet, kIpv4Sum, sum.complement());
}

}  // namespace tributary::bonding
