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

/// A plan of segments that come one after the other. Each begins when the segment before has come and it has opened.
struct QualityPlan {
  std::vector<PlannedSegment> segments;  // from the segment to be chosen for; not empty
  double before = 0;                     // until the bytes before them have come
  double slowest = 1;                    // factor on all times for the safe quality
  double spare = 0;                      // a segment is to be there this long before it is due
  std::size_t previous = 0;              // the quality before
  double change = 0.15;                  // points that a level of a change costs
  bool goes_on = false;                  // after the last of them
};

struct PlannedQuality {
  std::size_t quality = 0;
  std::size_t highest_safe = 0;
};

/// The first quality of the sequence of most worth: a point for each level, less `change` points for each level of a
/// change, less points for time in hand at the end below half of the possible. Only a segment of the lowest quality may
/// be late, for ten points a second.
///
/// The first quality must be safe: if all took `slowest` times as long, it and all later segments in the lowest quality
/// would be in time. The lowest is taken if none is. All sequences are looked at (dynamic programming over the Pareto
/// front of time and worth). Of two equal sequences, the one that begins lower is taken.
PlannedQuality plan_quality(const QualityPlan& plan);

namespace worth {
inline constexpr double kTimeInHand = 1;    // points a second that is missing
inline constexpr double kPartInHand = 0.5;  // of the time that there can be at most
inline constexpr double kLateness = 10;     // points a second
inline constexpr double kWhatHasCome = 1;   // points, of a segment that is asked for anew
inline constexpr double kStall = 3;         // points, however short it is
}  // namespace worth

}  // namespace tributary
