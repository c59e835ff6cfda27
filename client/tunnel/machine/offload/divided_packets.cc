#include "tunnel/machine/offload/divided_packets.hh"

#include <algorithm>
#include <utility>

#include "bonding/inner/internet_checksum.hh"
#include "bonding/inner/tcp_segment.hh"

namespace tributary {
namespace {

using bonding::InternetChecksum, bonding::TcpSegment, bonding::number_at, bonding::write_number, bonding::write_sum;
using Packet = std::vector<std::byte>;

/// False: there is no place for it.
bool complete_checksum(const OffloadHeader& header, Packet& packet) {
  const std::size_t place = std::size_t{header.checksum_from} + header.checksum_offset;
  if (place + 2 > packet.size()) return false;
  InternetChecksum sum;  // the field has the sum of the pseudo header
  sum.add(std::span{packet}.subspan(header.checksum_from));
  constexpr std::size_t kOfUdp = 6;
  const std::uint16_t complement = sum.complement();
  write_sum(packet, place, complement == 0 && header.checksum_offset == kOfUdp ? 0xffff : complement);
  return true;
}

std::vector<Packet> segments_of(const Packet& run, const TcpSegment& first, std::size_t size) {
  std::vector<Packet> segments;
  const std::uint32_t sequence = number_at(run, first.tcp + TcpSegment::kSequence, 4);
  const std::uint32_t flags = number_at(run, first.tcp + TcpSegment::kFlags, 1);
  const std::uint32_t identification = first.ipv6 ? 0 : number_at(run, 4, 2);
  for (std::size_t at = first.payload; at < run.size(); at += size) {
    const std::size_t end = std::min(at + size, run.size());
    Packet segment;
    segment.reserve(first.payload + end - at);
    segment.assign(run.begin(), run.begin() + static_cast<std::ptrdiff_t>(first.payload));
    segment.insert(segment.end(), run.begin() + static_cast<std::ptrdiff_t>(at),
                   run.begin() + static_cast<std::ptrdiff_t>(end));
    std::uint32_t own_flags = flags;
    if (end < run.size()) own_flags &= ~std::uint32_t{TcpSegment::kFin | TcpSegment::kPsh};
    if (at > first.payload) own_flags &= ~std::uint32_t{TcpSegment::kCwr};
    write_number(segment, first.tcp + TcpSegment::kFlags, 1, own_flags);
    write_number(segment, first.tcp + TcpSegment::kSequence, 4,
                 sequence + static_cast<std::uint32_t>(at - first.payload));
    if (!first.ipv6) write_number(segment, 4, 2, identification + static_cast<std::uint32_t>(segments.size()));
    first.write_length(segment);
    first.write_checksum(segment);
    segments.push_back(std::move(segment));
  }
  return segments;
}

}  // namespace

std::vector<Packet> divided_packets(const OffloadHeader& header, Packet packet) {
  if (header.type == OffloadHeader::kOnePacket) {
    if ((header.flags & OffloadHeader::kNeedsChecksum) != 0 && !complete_checksum(header, packet)) return {};
    std::vector<Packet> one;
    one.push_back(std::move(packet));
    return one;
  }
  const auto segment = TcpSegment::in(packet);
  const int type = header.type & ~OffloadHeader::kEcn;
  if (!segment || header.segment_size == 0 ||
      type != (segment->ipv6 ? OffloadHeader::kTcpOfIpv6 : OffloadHeader::kTcpOfIpv4))
    return {};
  return segments_of(packet, *segment, header.segment_size);
}

}  // namespace tributary
