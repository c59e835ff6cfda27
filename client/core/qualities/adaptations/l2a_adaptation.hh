#pragma once

#include <vector>

#include "core/qualities/quality_adaptation.hh"
#include "core/qualities/throughput_history.hh"

namespace tributary {

/// The nearest point of all with no coordinate below 0 and a sum of 1 (Chen and Ye, arXiv 1101.6081).
std::vector<double> on_simplex(std::vector<double> point);

/// L2A-LL (Karagkioules, Mekuria, Griffioen and Wagenaar, MMSys 2020), with the constants of its authors' implementation in
/// dash.js: online convex optimisation. The decision is a probability w of each quality, at first that of the quality before:
///   w = on_simplex(w +- d / (2 alpha) (Q + V) b / C),   Q = max(0, Q - d + d b (2 w - w before) / C)
/// with bitrates b, segment duration d, the throughput C of the segment before, + where b <= C and - above. Q is the multiplier of
/// the constraint that the buffer does not run empty. The quality nearest to the mean bitrate b w is chosen; a rise is one
/// quality, if C carries that. Where the chosen bitrate is above C, Q is at least doubled.
///
/// Until 1.5 s are buffered for the first time: the highest bitrate <= 0.9 of the throughput.
class L2aAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override;
  void told(DataRate forecast) override;

 private:
  /// Over the segments since the last choice.
  void look_at_measurements();
  void step(double segment, const std::vector<double>& bitrates);

  ThroughputHistory history_;
  DataSize size_;    // of segments since the last choice
  Duration took_{};  // the same
  std::optional<DataRate> told_;
  double throughput_ = 0;        // bit/s, of the segments before the last choice
  std::vector<double> chances_;  // w; empty until the buffer was filled
  double multiplier_ = 0;        // Q
  std::size_t previous_ = 0;
};

}  // namespace tributary
