#include "tunnel/machine/offload/joined_packets.hh"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "bonding/inner/tcp_segment.hh"

namespace tributary {
namespace {

using bonding::TcpSegment, bonding::number_at, bonding::write_number, bonding::write_sum;
using Packet = std::vector<std::byte>;

constexpr std::size_t kLargestRun = 65'000;  // an IP packet has 65,535 at most

/// A run of segments, or a packet alone.
struct Run {
  Packet packet;
  std::optional<TcpSegment> segment;  // nothing: it is none of TCP
  std::size_t size = 0;               // of each segment but the last
  std::size_t count = 1;
  bool closed = false;  // nothing may follow
};

std::uint32_t flags_of(const Packet& packet, const TcpSegment& segment) {
  return number_at(packet, segment.tcp + TcpSegment::kFlags, 1);
}

bool same(const Packet& a, const Packet& b, std::size_t begin, std::size_t end) {
  return std::memcmp(a.data() + begin, b.data() + begin, end - begin) == 0;
}

bool same_connection(const Run& run, const Packet& packet, const TcpSegment& segment) {
  if (!run.segment || run.segment->ipv6 != segment.ipv6 || run.segment->tcp != segment.tcp) return false;
  const std::size_t addresses = segment.ipv6 ? 8 : 12;
  const std::size_t end = segment.ipv6 ? 40 : 20;
  return same(run.packet, packet, addresses, end) && same(run.packet, packet, segment.tcp, segment.tcp + 4);
}

/// All of the headers but lengths, checksums, the identification of IPv4, the sequence number and PSH.
bool same_headers(const Run& run, const Packet& packet, const TcpSegment& segment) {
  const TcpSegment& first = *run.segment;
  if (first.payload != segment.payload) return false;
  const bool ip = segment.ipv6 ? same(run.packet, packet, 0, 4) && same(run.packet, packet, 6, 8)
                               : same(run.packet, packet, 0, 2) && same(run.packet, packet, 6, 10) &&
                                     same(run.packet, packet, 20, segment.tcp);
  const std::size_t tcp = segment.tcp;
  return ip && same(run.packet, packet, tcp + 8, tcp + TcpSegment::kFlags) &&
         same(run.packet, packet, tcp + 14, tcp + 16) && same(run.packet, packet, tcp + 18, segment.payload);
}

/// Carries data, and says nothing else.
bool may_join(const Packet& packet, const TcpSegment& segment) {
  const std::uint32_t flags = flags_of(packet, segment);
  return (flags & ~std::uint32_t{TcpSegment::kPsh}) == TcpSegment::kAck && packet.size() > segment.payload;
}

bool follows(const Run& run, const Packet& packet, const TcpSegment& segment) {
  const std::size_t size = packet.size() - segment.payload, so_far = run.packet.size() - run.segment->payload;
  const std::uint32_t sequence = number_at(run.packet, segment.tcp + TcpSegment::kSequence, 4);
  return !run.closed && size <= run.size && run.packet.size() + size <= kLargestRun &&
         number_at(packet, segment.tcp + TcpSegment::kSequence, 4) == sequence + static_cast<std::uint32_t>(so_far) &&
         same_headers(run, packet, segment);
}

void append(Run& run, const Packet& packet, const TcpSegment& segment) {
  const std::uint32_t flags = flags_of(packet, segment);
  run.closed = packet.size() - segment.payload < run.size || (flags & TcpSegment::kPsh) != 0;
  run.packet.insert(run.packet.end(), packet.begin() + static_cast<std::ptrdiff_t>(segment.payload), packet.end());
  write_number(run.packet, segment.tcp + TcpSegment::kFlags, 1, flags_of(run.packet, segment) | flags);
  ++run.count;
}

Run begun(Packet packet, std::optional<TcpSegment> segment) {
  Run run{.packet = std::move(packet), .segment = segment};
  if (!segment) return run;
  run.size = run.packet.size() - segment->payload;
  run.closed = !may_join(run.packet, *segment) || (flags_of(run.packet, *segment) & TcpSegment::kPsh) != 0;
  return run;
}

JoinedPacket finished(Run run) {
  JoinedPacket joined;
  if (run.count > 1) {
    const TcpSegment& segment = *run.segment;
    segment.write_length(run.packet);
    write_sum(run.packet, segment.tcp + TcpSegment::kChecksum,
              segment.pseudo_sum(run.packet, run.packet.size() - segment.tcp));
    joined.header.flags = OffloadHeader::kNeedsChecksum;
    joined.header.type = segment.ipv6 ? OffloadHeader::kTcpOfIpv6 : OffloadHeader::kTcpOfIpv4;
    joined.header.headers = static_cast<std::uint16_t>(segment.payload);
    joined.header.segment_size = static_cast<std::uint16_t>(run.size);
    joined.header.checksum_from = static_cast<std::uint16_t>(segment.tcp);
    joined.header.checksum_offset = TcpSegment::kChecksum;
  }
  joined.packet = std::move(run.packet);
  return joined;
}

}  // namespace

std::vector<JoinedPacket> joined_packets(std::vector<Packet> packets) {
  std::vector<Run> runs;
  for (Packet& packet : packets) {
    const auto segment = TcpSegment::in(packet);
    const auto before = std::find_if(runs.rbegin(), runs.rend(),
                                     [&](const Run& run) { return segment && same_connection(run, packet, *segment); });
    if (before != runs.rend() && may_join(packet, *segment) && follows(*before, packet, *segment) &&
        segment->checksum_is_right(packet) &&
        (before->count > 1 || before->segment->checksum_is_right(before->packet))) {
      append(*before, packet, *segment);
    } else {
      runs.push_back(begun(std::move(packet), segment));
    }
  }
  std::vector<JoinedPacket> joined;
  for (Run& run : runs) joined.push_back(finished(std::move(run)));
  return joined;
}

}  // namespace tributary
