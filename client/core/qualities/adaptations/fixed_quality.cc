#include "core/qualities/adaptations/fixed_quality.hh"

namespace tributary {

QualityChoice FixedQuality::choose(const AdaptationInput& /*input*/, const SegmentTable& /*table*/) {
  return {quality_, "fixed by option"};
}

}  // namespace tributary
