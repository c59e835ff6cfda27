#pragma once

#include <string_view>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/live/segment_cut.hh"
#include "segmenter/plan/part_plan.hh"

namespace tributary::segmenter {

/// Where the parts of a prepared presentation end. The leading track, a picture, is cut at its pictures; others near to
/// that.
class ReplayParts {
 public:
  /// `longest`: duration of a part; zero: there are none. Throws Failure (usage) if a segment is not longer.
  ReplayParts(const Track& leading, double nominal_segment_seconds, Duration longest);

  bool any() const { return plan_.divides(); }
  /// How long parts of a track may be, in its ticks. `frame`: the longest sample of the track, in ticks; 0: unknown.
  std::uint64_t target(const Track& track, std::uint64_t frame) const;
  /// Seconds from the beginning of a segment at which its parts end, without the last of them.
  std::vector<double> cuts(double segment_seconds) const;

 private:
  PartPlan plan_;
  double seconds_;  // of a part
};

}  // namespace tributary::segmenter
