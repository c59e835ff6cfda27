#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tributary {

inline constexpr std::size_t kTransportPacket = 188;  // bytes (ISO/IEC 13818-1 section 2.4.3.2)

/// The packets of a transport stream, found by their sync bytes: whatever stands in
/// front of them, behind them, or between them (packets of 192 and of 204 bytes) belongs to no packet.
struct TransportPackets {
  std::vector<std::byte> bytes;        // whole packets of 188 bytes, one behind the other
  std::optional<std::size_t> lost_at;  // where the first packet does not begin that should; others follow behind it
};

/// Whether bytes hold a transport stream: packets at their beginning, behind tags of ID3, or anywhere else with a list of
/// programs among them.
bool is_transport_stream(std::span<const std::byte> bytes);

TransportPackets transport_packets(std::span<const std::byte> bytes);

/// How many bytes at the beginning are whole packets, which need no search.
std::size_t whole_transport_packets(std::span<const std::byte> bytes);

}  // namespace tributary
