#pragma once

#include "core/qualities/quality_adaptation.hh"
#include "core/qualities/throughput_history.hh"

namespace tributary {

/// The throughput rule of dash.js: the highest bitrate b <= 0.9 C (throughput_history.hh). Its rule against an
/// insufficient buffer then lowers the quality until
///   b d <= s (level - latency) C
/// with segment duration d, and s from 0.9 down to 0.5, a tenth less each time. Before a segment has been measured: the
/// lowest.
///
/// After half a second, a segment that would take more than 1.8 d in all is given up, if the quality that its rate
/// sustains has fewer bytes than are missing.
class ThroughputAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override { history_.add(measurement); }
  void told(DataRate forecast) override { history_.told(forecast); }
  bool abandons(const SegmentProgress& progress, const SegmentTable& table) override;

 private:
  ThroughputHistory history_;
  double buffer_safety_ = 0.9;
};

}  // namespace tributary
