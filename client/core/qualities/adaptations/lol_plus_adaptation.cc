#include "core/qualities/adaptations/lol_plus_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/playout/latency_control.hh"
#include "core/qualities/segments_ahead.hh"

namespace tributary {
namespace {

constexpr double kOfThroughput = 0.9;              // of the throughput
constexpr double kLeastBuffer = 0.3;               // s
constexpr double kHeadroom = 10e3;                 // bit/s, above a bitrate
constexpr double kUnitOfLatency = 100;             // s
constexpr double kFarAway = 100;                   // weight of the throughput
constexpr double kLearning = 0.01, kNearby = 0.1;  // rate of learning, and width of a neighbourhood
constexpr double kLeastRebuffering = 0.00001;      // s
constexpr std::array kWeights{0.2, 0.4, 0.6, 0.8, 1.0};

double squared(double x) { return x * x; }

// ---- Experience: of one segment, in bits

constexpr double kShortLatency = 1.1;                     // s
constexpr double kCostOfShort = 0.05, kCostOfLong = 0.1;  // of the lowest, and of the highest bitrate

double cost_of(double latency, double lowest, double highest) {
  return latency * (latency <= kShortLatency ? kCostOfShort * lowest : kCostOfLong * highest);
}

// ---- Speed

constexpr double kSlowBelow = 0.5;  // s of buffer
constexpr double kSteepness = 5;    // per second
constexpr double kAtTarget = 0.02;  // of the target
constexpr double kSpeedStep = 0.01;

/// From 1 - the range to 1 + the range, and 1 at 0.
double sigmoid(double seconds) {
  const double range = seconds < 0 ? LatencyControl::kMostSlower : LatencyControl::kMostFaster;
  return 1 - range + 2 * range / (1 + std::exp(-kSteepness * seconds));
}

}  // namespace

double LolPlusAdaptation::Moment::level_after(std::size_t quality) const {
  const double in = takes(quality);
  return in > segment ? level - segment : level + segment - in;
}

double LolPlusAdaptation::Moment::rebuffering(std::size_t quality) const {
  return std::max(kLeastRebuffering, takes(quality) - level_after(quality));
}

QualityChoice LolPlusAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const auto throughput = history_.throughput();
  if (!throughput) {
    previous_ = 0;
    return {QualityIndex{0}, "no segment measured yet: lowest"};
  }
  Moment now;
  for (std::size_t q = 0; q < table.quality_count(); ++q)
    now.bitrates.push_back(table.bitrate(static_cast<QualityIndex>(q)).bits_per_second());
  double squares = 0;
  for (const double bitrate : now.bitrates) squares += squared(bitrate);
  now.all_bitrates = std::sqrt(squares);
  now.throughput = std::max(kOfThroughput * throughput->bits_per_second(), 1.0);
  now.level = to_seconds(level_at_transfer(input));
  now.segment = to_seconds(group_duration(input.segment, table));
  now.latency = to_seconds(input.latency);
  now.target = to_seconds(input.target_latency);
  if (neurons_.empty()) begin_map(now);

  const auto choice = [&](std::size_t quality, const char* why) {
    previous_ = quality;
    const auto chosen = static_cast<QualityIndex>(quality);
    return QualityChoice{chosen, fmt::format("{} {} at {:.0f} kbit/s with {:.3f} s buffered",
                                             table.quality_name(chosen), why, now.throughput / 1e3, now.level)};
  };
  if (now.level - now.takes(previous_) < kLeastBuffer) return choice(highest_below(previous_, now), "is lower");
  choose_weights(now);
  double most = 0;
  for (const Features& neuron : neurons_) most = std::max(most, neuron[kThroughput]);
  const double carried = now.throughput / now.all_bitrates;
  const double there = carried > 1 ? most : carried;
  const std::size_t winner = nearest(there, now);
  const double change = std::abs(now.bitrates[winner] - now.bitrates[previous_]) / now.all_bitrates;
  const double rebuffering = std::max(0.0, now.takes(previous_) - now.level);
  learn(previous_, {there, now.latency / kUnitOfLatency, rebuffering, change});
  learn(winner, {there, 0, 0, change});
  return choice(winner, "is nearest");
}

void LolPlusAdaptation::begin_map(const Moment& now) {
  for (const double bitrate : now.bitrates) neurons_.push_back({bitrate / now.all_bitrates, 0, 0, 0});
}

/// The lowest, if the throughput carries none.
std::size_t LolPlusAdaptation::highest_below(std::size_t quality, const Moment& now) const {
  while (quality > 0) {
    if (now.bitrates[--quality] < now.throughput) return quality;
  }
  return 0;
}

/// Weights of throughput and change do not enter the experience, so that the first of equals counts.
void LolPlusAdaptation::choose_weights(const Moment& now) {
  const bool near = now.latency <= now.target + std::abs(now.latency - latency_before_);
  latency_before_ = now.latency;
  if (!near) return;
  const double lowest = now.bitrates.front(), highest = now.bitrates.back();
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t q = 0; q < neurons_.size(); ++q) {
    if (now.level_after(q) < kLeastBuffer) continue;
    for (const double of_latency : kWeights) {
      for (const double of_buffer : kWeights) {
        const double value = now.segment * now.bitrates[q] - highest * now.rebuffering(q) / of_buffer -
                             cost_of(neurons_[q][kLatency] / of_latency, lowest, highest);
        if (value <= most) continue;
        most = value;
        weights_ = {kWeights.front(), of_latency, of_buffer, kWeights.front()};
      }
    }
  }
}

std::size_t LolPlusAdaptation::nearest(double throughput, const Moment& now) const {
  std::size_t winner = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t q = 0; q < neurons_.size(); ++q) {
    const bool too_high = now.bitrates[q] > now.throughput - kHeadroom || now.level_after(q) < kLeastBuffer;
    const double of_throughput = q > 0 && too_high ? kFarAway : weights_[kThroughput];
    double distance = of_throughput * squared(neurons_[q][kThroughput] - throughput);
    for (const Feature f : {kLatency, kRebuffering, kChange}) distance += weights_[f] * squared(neurons_[q][f]);
    if (distance >= least) continue;
    least = distance;
    winner = q;
  }
  return winner;
}

void LolPlusAdaptation::learn(std::size_t neuron, const Features& what) {
  const Features centre = neurons_[neuron];
  for (Features& other : neurons_) {
    double distance = 0;
    for (std::size_t f = 0; f < kFeatures; ++f) distance += squared(other[f] - centre[f]);
    const double part = kLearning * std::exp(-distance / (2 * squared(kNearby)));
    for (std::size_t f = 0; f < kFeatures; ++f) other[f] += part * (what[f] - other[f]);
  }
}

std::optional<double> LolPlusAdaptation::speed(const LiveSituation& now) const {
  const double ahead = to_seconds(now.ahead), away = to_seconds(now.latency - now.target);
  double wanted = sigmoid(away);
  if (ahead < kSlowBelow)
    wanted = sigmoid(ahead - kSlowBelow);
  else if (std::abs(away) <= kAtTarget * to_seconds(now.target))
    wanted = 1;
  return 1 + std::round((wanted - 1) / kSpeedStep) * kSpeedStep;
}

}  // namespace tributary
