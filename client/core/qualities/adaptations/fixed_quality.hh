#pragma once

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// The same quality for every segment, whatever the links can do.
class FixedQuality : public QualityAdaptation {
 public:
  explicit FixedQuality(QualityIndex quality) : quality_{quality} {}
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;

 private:
  QualityIndex quality_;
};

}  // namespace tributary
