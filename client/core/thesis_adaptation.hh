#pragma once

#include "core/quality_adaptation.hh"

namespace tributary {

/// The highest quality q with
///   size_q / C < (time left of the segment being played + buffered media) - bytes left / C
/// where C is the aggregate throughput; the lowest if none fits (thesis section 4.2.4, Algorithm 2). The
/// first segment is requested in the highest: it cannot miss a deadline, and it gives the most measurements
/// (Algorithm 1, line 1).
class ThesisAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
};

}  // namespace tributary
