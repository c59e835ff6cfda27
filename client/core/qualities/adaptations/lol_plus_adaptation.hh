#pragma once

#include <array>
#include <vector>

#include "core/qualities/quality_adaptation.hh"
#include "core/qualities/throughput_history.hh"

namespace tributary {

/// LoL+ (Bentaleb, Akcay, Lim, Begen and Zimmermann, IEEE Transactions on Multimedia 2022): its bitrate selection, weight
/// selection and playback speed control, with the constants of its authors' implementation in dash.js. A self-organising map
/// has a neuron for each quality, which knows throughput, latency, rebuffering and change. The neuron nearest to the throughput,
/// with nothing of the others, is chosen. It and its neighbours learn that; those of the quality before learn what was there.
///
/// The distance has weights: of 625 vectors, those with which the experience of a quality is highest, as long as latency and
/// buffer are within bounds; equal ones before. A quality above the throughput, or for which the buffer would run low, counts
/// as further away. With a low buffer, the next lower quality that the throughput carries is taken at once.
///
/// Its speed follows from the buffer where that is low, and else from the latency. The range of speeds is that of
/// LatencyControl: what may be heard is no part of a comparison.
class LolPlusAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;
  void measured(const SegmentMeasurement& measurement) override { history_.add(measurement); }
  void told(DataRate forecast) override { history_.told(forecast); }
  std::optional<double> speed(const LiveSituation& now) const override;

 private:
  /// Throughput in units of all bitrates together (the root of the sum of their squares), latency in units of 100 s,
  /// rebuffering in seconds, change in units of all bitrates.
  enum Feature { kThroughput, kLatency, kRebuffering, kChange, kFeatures };
  using Features = std::array<double, kFeatures>;

  /// What is known when a quality is chosen. Rates in bit/s, times in s.
  struct Moment {
    std::vector<double> bitrates;
    double all_bitrates = 1;  // the unit
    double throughput = 0, level = 0, segment = 0, latency = 0, target = 0;

    double takes(std::size_t quality) const { return bitrates[quality] * segment / throughput; }
    double level_after(std::size_t quality) const;
    double rebuffering(std::size_t quality) const;
  };

  void begin_map(const Moment& now);
  std::size_t highest_below(std::size_t quality, const Moment& now) const;
  void choose_weights(const Moment& now);
  std::size_t nearest(double throughput, const Moment& now) const;
  void learn(std::size_t neuron, const Features& what);

  ThroughputHistory history_;
  std::vector<Features> neurons_;  // by quality
  Features weights_{0.4, 0.4, 0.4, 0.4};
  double latency_before_ = 0;
  std::size_t previous_ = 0;
};

}  // namespace tributary
