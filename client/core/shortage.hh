#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>

#include "core/subsegment_planner.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A link, as far as it matters for what it brings in time.
struct Carrier {
  std::optional<DataRate> rate;  // nothing: it was never measured
  Duration free_in{};            // when it could bring the first byte of a new request
  DataSize owed;                 // what it brings before that

  /// What it brings within `time`, what it owes included.
  DataSize brings_in(Duration time) const;
};

/// What is missing of a segment.
struct Claim {
  std::optional<TimePoint> due;  // nothing: nobody waits for it
  DataSize missing;              // neither received, nor asked of a link that is spared
};

/// In the order in which they are due; seldom more than a buffer holds.
using Claims = boost::container::small_vector<Claim, 8>;
using ClaimSizes = boost::container::small_vector<DataSize, 8>;

/// Of each claim, in the order in which they are due, what the free links cannot bring until `margin` before it is due. They
/// bring first what is due first. Claims that nobody waits for take their time, but are never short themselves. A free link that
/// was never measured counts as bringing everything: it has to be tried first.
ClaimSizes shortages(std::span<const Claim> claims, std::span<const Carrier> free, Duration margin, TimePoint now);

/// Of how many of these claims, the first ones, a spared link has to be asked now for what is short: this is the last moment at which
/// all of it, up to the last of them, is still there `margin` before that is due. Those after it can wait. 0: all can.
std::size_t pressing(std::span<const Claim> claims, std::span<const DataSize> shortages, const Carrier& spared,
                     DataRate guess, Duration margin, TimePoint now);

}  // namespace tributary
