#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tributary {

/// The first and the last time that packets of a transport stream state, of whichever stream; 33 bits that count 90000 in
/// a second.
struct TransportTimes {
  std::int64_t first = 0, last = 0;

  bool operator==(const TransportTimes&) const = default;
};

/// Nothing: no packet states one. `packets`: whole ones (demux/transport_packets.hh).
std::optional<TransportTimes> transport_times(std::span<const std::byte> packets);

/// Ticks from `from` to `to`, of which either may be behind the wrap of its 33 bits: the shorter way, negative backwards.
std::int64_t transport_ticks(std::int64_t from, std::int64_t to);

}  // namespace tributary
