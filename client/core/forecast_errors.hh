#pragma once

#include <deque>

#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows how much longer than the plan said it took until segments were there: whatever the reason was, a link that slowed down,
/// an estimate that lagged behind, or a range that was late. What was early counts as right, because what has time to spare
/// is not hurried; what is longer ago counts less.
class ForecastErrors {
 public:
  /// The segment, and all before it, will have come in so much time.
  void expected(SegmentIndex segment, TimePoint now, Duration in);
  /// It will not come as was expected, and would have been there at that moment.
  void given_up(SegmentIndex segment, TimePoint would_be);
  /// They have. Segments are complete in the order of their numbers, but for seeks.
  void complete(SegmentIndex segment, TimePoint now);

  /// The root mean square of the errors, relative to the time that was expected.
  double spread() const;

 private:
  struct Forecast {
    SegmentIndex segment{};
    TimePoint made;
    Duration in{};
  };

  void count(const Forecast& forecast, TimePoint complete);

  std::deque<Forecast> open_;  // in the order of segments
  double count_ = 0, squares_ = 0;
};

}  // namespace tributary
