#pragma once

#include <deque>

#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows how much longer than planned segments took: a link slowed down, an estimate lagged behind, or a range was
/// late. An early segment counts as right, because a segment with time to spare is not hurried. Older errors count
/// less.
class ForecastErrors {
 public:
  /// The segment, and all before it, are expected in this time.
  void expected(SegmentIndex segment, TimePoint now, Duration in);
  /// The segment is given up, and would have been there at that moment.
  void given_up(SegmentIndex segment, TimePoint would_be);
  /// The segment, and all before it, are there. Segments are complete in the order of their numbers, but for seeks.
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
