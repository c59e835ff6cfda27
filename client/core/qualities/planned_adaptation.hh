#pragma once

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// The first quality of the best sequence for this segment and the next seven (quality_plan.hh). Segments have the
/// sizes of the index, are requested when the buffer has room and they are published, and come at the rate of the plan.
///
/// The margin follows from the errors of former plans (AdaptationInput::spread): if all took 2.5 spreads longer (2.75
/// with a buffer of two segments), no segment may be late. With a buffer of one segment there is no margin.
///
/// A segment on its way is lowered if playout would stand still for it. Until playout begins, segments on their way do
/// not count as buffered, which would only delay the start.
class PlannedAdaptation : public QualityAdaptation {
 public:
  /// `rules`: the rules of the plan that hold.
  explicit PlannedAdaptation(const Rules& rules = {}) : rules_{rules} {}

  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  bool lowers() const override { return true; }
  std::optional<QualityChoice> lowered(const SegmentOnItsWay& segment, const SegmentTable& table) override;

 private:
  QualityChoice decide(const AdaptationInput& input, const SegmentTable& table) const;

  Rules rules_;
  SegmentIndex last_{};  // that was chosen for
  QualityIndex previous_{};
};

}  // namespace tributary
