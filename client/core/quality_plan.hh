#pragma once

#include <cstddef>
#include <vector>

namespace tributary {

/// A segment in a plan. Times are seconds from now.
struct PlannedSegment {
  double opens = 0;  // it is not requested before
  double due = 0;
  std::vector<double> takes;  // its transfer, by quality
};

/// What qualities are planned by: segments that come one after the other, each when the one before has come and it has opened.
struct QualityPlan {
  std::vector<PlannedSegment> segments;  // from the one whose quality is to be chosen on; not empty
  double before = 0;                     // until what comes before them has come
  double slowest = 1;                    // so many times as long may everything take
  double spare = 0;                      // so long before it is due is it to be there
  std::size_t previous = 0;              // the quality before
  double change = 0.15;                  // points that a level of a change costs
  bool goes_on = false;                  // after the last of them
};

struct PlannedQuality {
  std::size_t quality = 0;
  std::size_t highest_safe = 0;
};

/// The quality of the first segment with which the whole is of most worth: a point for each level of a segment, less a part of
/// one for each level of a change (`change`), and less for a time in hand at the end that is shorter than half of what is possible. None is
/// late unless it is of the lowest quality, which costs ten points a second.
/// The first is chosen among those that are safe: should everything take `slowest` times as long, it and all that follow in the
/// lowest quality are still in time. The lowest if none is. All sequences are looked at (dynamic programming over the Pareto
/// front of time and worth), and of two equal ones the one that begins lower is taken.
PlannedQuality plan_quality(const QualityPlan& plan);

namespace worth {
inline constexpr double kTimeInHand = 1;    // points a second that is missing
inline constexpr double kPartInHand = 0.5;  // of the time that there can be at most
inline constexpr double kLateness = 10;     // points a second
inline constexpr double kWhatHasCome = 1;   // points, of a segment that is asked for anew
inline constexpr double kStall = 3;         // points, however short it is
}  // namespace worth

}  // namespace tributary
