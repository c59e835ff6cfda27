#pragma once

#include "units/session_clock.hh"

namespace tributary {

/// Of a connection.
struct RoundTrip {
  Duration smoothed{};
  Duration least{};  // the recent minimum, without queues

  bool operator==(const RoundTrip&) const = default;
};

}  // namespace tributary
