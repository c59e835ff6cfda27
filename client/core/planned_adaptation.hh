#pragma once

#include "core/quality_adaptation.hh"

namespace tributary {

/// The quality with which this segment and the next seven are best, if all come at the rate at which the plan brings them
/// (quality_plan.hh): with the sizes that they have, when there is room for them and they are published, until they are due.
/// How far that can be counted on is what the plans before took (AdaptationInput::spread): should everything take two and
/// a half times that spread longer (2.75 times with a buffer of two segments), neither this segment nor any after it may be late.
/// With a buffer of one segment nothing can be kept in hand, and what is expected has to do.
///
/// What is on its way comes in a lower quality after all if playout would stand still for it otherwise, and less so then: that a
/// link died, or slowed down by much, is known only afterwards.
///
/// Until playout begins, what is on its way does not count as buffered, which would only make the start later. Before
/// that, choice_before_measurements.
class PlannedAdaptation : public QualityAdaptation {
 public:
  /// rules: those of the plan that hold.
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
