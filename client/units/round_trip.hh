#pragma once

#include "units/session_clock.hh"

namespace tributary {

/// Of a connection.
struct RoundTrip {
  Duration smoothed{};
  Duration least{};  // lately: without what waits in queues

  bool operator==(const RoundTrip&) const = default;
};

}  // namespace tributary
