#pragma once

#include <algorithm>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Measured of a link in an earlier session.
struct RememberedLink {
  DataRate rate;          // while it was busy
  Duration round_trip{};  // the least; 0 if it was never measured

  bool operator==(const RememberedLink&) const = default;
};

/// The part on which plans count until the link is measured anew: half of the rate, and no more bytes under way than a
/// first request has. The network may be another one behind the same router, or shared with others today.
inline RememberedLink counted_on(const RememberedLink& link) {
  constexpr DataSize kMostUnderWay{100'000};
  constexpr DataRate kLeast = DataRate::bits_per_second(1000);
  const DataRate rate = std::max(link.rate / 2, kLeast);
  return {rate, std::clamp(link.round_trip, Duration{}, kMostUnderWay / rate)};
}

}  // namespace tributary
