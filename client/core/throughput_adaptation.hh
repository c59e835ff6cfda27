#pragma once

#include "core/quality_adaptation.hh"
#include "core/throughput_history.hh"

namespace tributary {

/// The throughput rule of dash.js: the highest bitrate b <= 0.9 C, where C is the lower of two averages
/// (throughput_history). Its rule against an insufficient buffer then lowers the quality until what is
/// buffered outlasts the segment:
///   b d <= s (level - latency) C
/// with d the segment's duration and s from 0.9 down to 0.5, a tenth less each time. Until a segment has been
/// measured: the lowest.
///
/// A segment that would take more than 1.8 d in all, at the rate at which it has come so far, is given up if the quality
/// which that rate sustains has fewer bytes than are still to come; not in its first half second.
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
