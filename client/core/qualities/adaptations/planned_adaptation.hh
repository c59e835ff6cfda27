#pragma once

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// The first quality of the plan with the highest expected experience (experience.hh) for this segment, the next seven,
/// and as many as the buffer holds (quality_plan.hh). Those that continue a segment are planned with its quality. A segment
/// of the plan has the size that the index says. It is
/// requested when it is published and the buffer has room, and comes at the rate of the plan. That rate drifts as far as
/// former plans were wrong (AdaptationInput::spread), and returns to its mean over some segments.
///
/// A choice must be safe: in time by the plan, and at low latency, or for a measure with a margin, even if transfers take longer
/// by 1.75 spreads. With a buffer of one segment there is no such margin.
///
/// A segment on its way is lowered if playout would stall for it, although the rate of this moment returns to that of the
/// long run, as it does in the plan. Until playout begins, segments on their way do not count as buffered, which would only
/// delay the start.
class PlannedAdaptation : public QualityAdaptation {
 public:
  /// `rules`: the rules of the plan that hold.
  explicit PlannedAdaptation(const Rules& rules = {}, const Experience& experience = {})
      : rules_{rules}, experience_{experience} {}

  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  bool lowers() const override { return true; }
  std::optional<QualityChoice> lowered(const SegmentOnItsWay& segment, const SegmentTable& table) override;

 private:
  QualityChoice decide(const AdaptationInput& input, const SegmentTable& table);
  /// The mean of logarithms of rates, this one included.
  double with_former_rates(double rate);

  Rules rules_;
  Experience experience_;
  double weight_ = 0, sum_ = 0;  // of logarithms of rates
  SegmentIndex last_{};          // that was chosen for
  QualityIndex previous_{};
};

}  // namespace tributary
