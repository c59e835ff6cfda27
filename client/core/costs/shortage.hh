#pragma once

#include <boost/container/small_vector.hpp>
#include <optional>
#include <span>

#include "core/subsegments/subsegment_planner.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A link, as far as its bytes in a given time are concerned.
struct Carrier {
  std::optional<DataRate> rate;  // nothing: it was never measured
  Duration free_in{};            // when the first byte of a new answer could be here
  DataSize owed;                 // bytes that it brings before that

  /// Bytes that it brings within `time`, with those that it owes.
  DataSize brings_in(Duration time) const;
};

/// Missing bytes of a segment.
struct Claim {
  std::optional<TimePoint> due;  // nothing: no viewer waits for it
  DataSize missing;              // neither received, nor asked of a link that is spared
};

/// In the order in which they are due; seldom more than a buffer holds.
using Claims = boost::container::small_vector<Claim, 8>;
using ClaimSizes = boost::container::small_vector<DataSize, 8>;

/// For each claim, the bytes that the free links cannot bring until `margin` before it is due. They bring first what is
/// due first. Claims that nobody waits for take their time, but are never short. An unmeasured free link counts as
/// bringing all: it is tried first.
ClaimSizes shortages(std::span<const Claim> claims, std::span<const Carrier> free, Duration margin, TimePoint now);

/// The number of claims, from the first on, for whose shortages a spared link has to be asked now: the last moment at
/// which all of them are still there `margin` before they are due. 0: all can wait.
std::size_t pressing(std::span<const Claim> claims, std::span<const DataSize> shortages, const Carrier& spared,
                     DataRate guess, Duration margin, TimePoint now);

}  // namespace tributary
