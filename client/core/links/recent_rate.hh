#pragma once

#include <deque>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The rate of a link within the last second. A rate by requests is an average over a whole answer: a link that slows
/// down to a crawl in the middle of a large one would seem fast for a long time.
class RecentRate {
 public:
  void received(DataSize size, TimePoint at);
  /// From `since` on, but at most for a second; `since` must be before `now`.
  DataRate since(TimePoint since, TimePoint now) const;

 private:
  struct Sample {
    TimePoint at;
    DataSize in_all;
  };

  std::deque<Sample> samples_;  // at most one of them was older than a second when the last was taken
  DataSize in_all_;
};

}  // namespace tributary
