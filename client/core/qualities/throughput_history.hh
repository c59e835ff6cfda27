#pragma once

#include <array>
#include <optional>

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// The throughput of all links as dash.js averages it: two exponential averages of the rates of segments, weighted by
/// their durations, with half lives of 3 s and 8 s of transfer. The lower one counts, so that a drop is believed sooner
/// than a rise.
class ThroughputHistory {
 public:
  void add(const SegmentMeasurement& measurement);
  /// From now on, this is the throughput.
  void told(DataRate forecast) { told_ = forecast; }
  /// Nothing before the first segment.
  std::optional<DataRate> throughput() const;
  Duration latency() const { return latency_; }

  /// The highest quality whose bitrate, nominally, brings the segment within its own duration at `safety`
  /// times the throughput; the lowest if none does or nothing is known.
  QualityIndex sustainable(SegmentIndex segment, const SegmentTable& table, double safety) const;
  /// The same at this throughput.
  QualityIndex sustainable_at(DataRate rate, SegmentIndex segment, const SegmentTable& table) const;

 private:
  std::array<double, 2> averages_{};  // bit/s, towards zero by the weight that measurements do not have yet
  Duration measured_for_{};
  std::optional<DataRate> told_;
  Duration latency_{};
};

}  // namespace tributary
