#pragma once

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// The highest quality q with
///   size_q / C < (time left of the playing segment + buffered media) - bytes left / C
/// for the aggregate throughput C; the lowest if none fits (thesis section 4.2.4, Algorithm 2).
class ThesisAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
};

}  // namespace tributary
