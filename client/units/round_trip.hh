#pragma once

#include <cstdint>

#include "units/session_clock.hh"

namespace tributary {

/// Of a connection.
struct RoundTrip {
  Duration smoothed{};
  Duration least{};                // the recent minimum, without queues
  std::uint32_t acknowledged = 0;  // packets of ours, each of which was a measurement

  bool operator==(const RoundTrip&) const = default;
};

}  // namespace tributary
