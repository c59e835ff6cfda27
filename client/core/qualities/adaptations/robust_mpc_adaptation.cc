#include "core/qualities/adaptations/robust_mpc_adaptation.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/rounding.hh"

namespace tributary {
namespace {

constexpr std::size_t kHorizon = 5;
constexpr std::size_t kMemory = 5;

void remember(std::deque<double>& values, double value) {
  values.push_back(value);
  if (values.size() > kMemory) values.pop_front();
}

/// Looks through all sequences of qualities, depth first. Sizes and worths are looked up once: with ten
/// qualities there are 100 000 sequences.
class Plan {
 public:
  Plan(const AdaptationInput& input, const SegmentTable& table, double bits_per_second, const Experience& experience)
      : worth_{experience.worths(table)}, change_{experience.change}, stall_{experience.stall_cost(table)} {
    const std::size_t end = std::min(to_index(input.segment) + kHorizon, table.segment_count());
    for (std::size_t i = to_index(input.segment); i < end; ++i) {
      const auto segment = static_cast<SegmentIndex>(i);
      Step step{to_seconds(table.duration(segment)), 0, {}};
      step.fullest = std::max(to_seconds(input.capacity) - step.duration, 0.0);
      for (std::size_t q = 0; q < table.quality_count(); ++q) {
        const DataSize size = table.size(segment, static_cast<QualityIndex>(q));
        step.transfer.push_back(static_cast<double>(size.bytes()) * 8 / bits_per_second);
      }
      steps_.push_back(std::move(step));
    }
  }

  std::size_t best_first(double level, std::size_t previous) const {
    std::size_t best = 0;
    double best_value = -std::numeric_limits<double>::infinity();
    for (std::size_t q = 0; q < worth_.size(); ++q) {
      const double value = value_of(0, q, level, previous);
      if (value > best_value + kSameValue) {
        best = q;
        best_value = value;
      }
    }
    return best;
  }

 private:
  struct Step {
    double duration;               // s
    double fullest;                // s, the highest level that its request can find
    std::vector<double> transfer;  // s, by quality
  };

  /// The QoE from this step on if it is done in quality q and everything after it as well as possible.
  double value_of(std::size_t step, std::size_t q, double level, std::size_t previous) const {
    const double transfer = steps_[step].transfer[q];
    level = std::min(level, steps_[step].fullest);
    const double value =
        worth_[q] - stall_ * std::max(transfer - level, 0.0) - change_ * std::abs(worth_[q] - worth_[previous]);
    if (step + 1 == steps_.size()) return value;
    const double level_after = std::max(level - transfer, 0.0) + steps_[step].duration;
    double best_rest = -std::numeric_limits<double>::infinity();
    for (std::size_t next = 0; next < worth_.size(); ++next) {
      best_rest = std::max(best_rest, value_of(step + 1, next, level_after, q));
    }
    return value + best_rest;
  }

  std::vector<double> worth_;  // by quality
  double change_, stall_;
  std::vector<Step> steps_;
};

}  // namespace

QualityChoice RobustMpcAdaptation::choose(const AdaptationInput& input, const SegmentTable& table) {
  const auto mean = prediction();
  if (!mean) return {QualityIndex{0}, "no segment measured yet: lowest"};
  const double error = errors_.empty() ? 0 : *std::max_element(errors_.begin(), errors_.end());
  const double rate = *mean / (1 + error);
  const double level = to_seconds(level_at_transfer(input));
  const Plan plan{input, table, rate, experience_};
  previous_ = static_cast<QualityIndex>(plan.best_first(level, to_index(previous_)));
  return {previous_, fmt::format("{} is best for {} segments at {:.0f} kbit/s with {:.3f} s buffered",
                                 table.quality_name(previous_), kHorizon, rate / 1e3, level)};
}

void RobustMpcAdaptation::measured(const SegmentMeasurement& measurement) {
  const double rate = (measurement.size / (measurement.duration + measurement.latency)).bits_per_second();
  if (rate <= 0) return;
  if (const auto predicted = prediction()) remember(errors_, std::abs(*predicted - rate) / rate);
  remember(rates_, rate);
}

std::optional<double> RobustMpcAdaptation::prediction() const {
  if (told_) return told_;
  if (rates_.empty()) return std::nullopt;
  double sum = 0;
  for (const double rate : rates_) sum += 1 / rate;
  return static_cast<double>(rates_.size()) / sum;
}

}  // namespace tributary
