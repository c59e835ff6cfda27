#pragma once

#include "core/quality_adaptation.hh"

namespace tributary {

/// The highest quality q with
///   size_q / C < (time left of the segment being played + buffered media) - bytes left / C
/// where C is the aggregate throughput; the lowest if none fits (thesis section 4.2.4, Algorithm 2). Before that,
/// choice_before_measurements.
class ThesisAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
};

}  // namespace tributary
