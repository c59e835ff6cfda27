#include "demux/transport_times.hh"

#include "demux/transport_packets.hh"

namespace tributary {
namespace {

constexpr std::int64_t kTimes = std::int64_t{1} << 33;  // then they begin again

unsigned octet(std::span<const std::byte> bytes, std::size_t i) { return std::to_integer<unsigned>(bytes[i]); }

/// What a packet carries of its stream. Empty, if nothing begins in it (ISO/IEC 13818-1 section 2.4.3.2).
std::span<const std::byte> begun_packet_payload(std::span<const std::byte> packet) {
  constexpr std::size_t kPacketHeader = 4;
  const bool begins = (octet(packet, 1) & 0x40) != 0, has_payload = (octet(packet, 3) & 0x10) != 0;
  const bool has_field = (octet(packet, 3) & 0x20) != 0;
  const std::size_t begin = kPacketHeader + (has_field ? 1 + octet(packet, kPacketHeader) : 0);
  if (!begins || !has_payload || begin >= packet.size()) return {};
  return packet.subspan(begin);
}

/// The time of a packetized elementary stream's packet (ISO/IEC 13818-1 section 2.4.3.6).
std::optional<std::int64_t> time_of_pes(std::span<const std::byte> pes) {
  constexpr std::size_t kPesHeader = 14;
  if (pes.size() < kPesHeader || octet(pes, 0) != 0 || octet(pes, 1) != 0 || octet(pes, 2) != 1) return std::nullopt;
  const unsigned stream = octet(pes, 3);
  const bool media = stream == 0xbd || stream == 0xfd || (stream >= 0xc0 && stream <= 0xef);
  if (!media || (octet(pes, 7) & 0x80) == 0) return std::nullopt;
  return std::int64_t{octet(pes, 9) >> 1 & 7} << 30 | std::int64_t{octet(pes, 10)} << 22 |
         std::int64_t{octet(pes, 11) >> 1} << 15 | std::int64_t{octet(pes, 12)} << 7 |
         std::int64_t{octet(pes, 13) >> 1};
}

}  // namespace

std::optional<TransportTimes> transport_times(std::span<const std::byte> packets) {
  std::optional<TransportTimes> times;
  for (; packets.size() >= kTransportPacket; packets = packets.subspan(kTransportPacket)) {
    const auto time = time_of_pes(begun_packet_payload(packets.first(kTransportPacket)));
    if (!time) continue;
    if (!times) times = TransportTimes{*time, *time};
    times->last = *time;
  }
  return times;
}

std::int64_t transport_ticks(std::int64_t from, std::int64_t to) {
  const std::int64_t ahead = (to - from) & (kTimes - 1);
  return ahead >= kTimes / 2 ? ahead - kTimes : ahead;
}

}  // namespace tributary
