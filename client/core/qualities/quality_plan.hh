#pragma once

#include <cstddef>
#include <vector>

#include "core/qualities/returning_rate.hh"

namespace tributary {

/// A segment in a plan. Times are seconds from now.
struct PlannedSegment {
  double opens = 0;           // it is not requested before
  double due = 0;             // of one that playout waits for: if it began now
  std::vector<double> takes;  // its transfer at the rate of the long run, by quality
  bool continues = false;     // it can only have the quality of the one before
  double share = 1;           // of a whole segment, for what it is worth
};

/// A plan of segments that come one after the other. Each begins when the segment before has come and it has opened.
struct QualityPlan {
  std::vector<PlannedSegment> segments;  // from the segment to be chosen for; not empty
  double before = 0;                     // until the bytes before them have come, at the rate of the long run
  std::vector<double> worth;             // of a whole segment, by quality; rising
  double change = 1;                     // what a change of quality costs, for each unit of worth between the two
  double stall = 0;                      // what a second of standstill costs
  std::size_t starting =
      0;                  // playout waits for the first so many: none is late, and what they take is time of start-up
  double start = 0;       // what a second of start-up costs
  double now = 0;         // logarithm of how much longer transfers take now than in the long run
  double drift = 0;       // standard deviation of what is added to that logarithm from one segment to the next
  double kept = kReturn;  // of that logarithm, from one segment to the next
  double slowest = 1;     // factor on all times for the safe quality
  double spare = 0;       // a segment is to be there this long before it is due
  std::size_t previous = 0;  // the quality before
};

struct PlannedQuality {
  std::size_t quality = 0;
  std::size_t highest_safe = 0;
};

/// The quality of most expected worth: of all segments, less what changes and standstill cost, if each later quality is
/// chosen as well as possible by what is known then (stochastic dynamic programming over the time until a segment is due,
/// the quality before it, and the rate). Rates drift away from what they are, and back to those of the long run. Of
/// two equal qualities, the lower one.
///
/// Each quality must be safe: if transfers took `slowest` times as long as they do then, the segment would be in time, with
/// those that continue it, and the next one in the lowest quality. The lowest is always safe.
PlannedQuality plan_quality(const QualityPlan& plan);

}  // namespace tributary
