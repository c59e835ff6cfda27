#pragma once

#include <deque>
#include <optional>

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// RobustMPC (Yin et al., SIGCOMM 2015): the first quality of the best sequence for this segment and the next four.
/// Best is the highest experience (experience.hh), with exact sizes. The rate is the harmonic mean of the last five measurements,
/// divided by 1 + the largest relative error of the last five predictions. Ties go to the lower quality. Before a
/// segment has been measured: the lowest.
class RobustMpcAdaptation : public QualityAdaptation {
 public:
  explicit RobustMpcAdaptation(const Experience& experience = {}) : experience_{experience} {}

  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override;
  void told(DataRate forecast) override { told_ = forecast.bits_per_second(); }

 private:
  std::optional<double> prediction() const;

  Experience experience_;
  std::deque<double> rates_;   // bit/s, latencies included
  std::deque<double> errors_;  // relative
  std::optional<double> told_;
  QualityIndex previous_{};
};

}  // namespace tributary
