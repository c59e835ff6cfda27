#include "core/qualities/quality_plan.hh"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/rounding.hh"

namespace tributary {
namespace {

constexpr double kReach = 2;  // of the rates that are looked at, in standard deviations

constexpr std::size_t kRates = 7, kSlacks = 32;
constexpr std::size_t kMiddle = kRates / 2;

using ByRate = std::array<double, kRates>;

/// The segment, those that continue it, and the next one, as below. `left`: how long until it is due, when it is there.
bool group_is_safe(const QualityPlan& plan, std::size_t i, std::size_t quality, double left, double slowest) {
  while (left >= plan.spare && ++i < plan.segments.size()) {
    const PlannedSegment& next = plan.segments[i];
    left = std::min(left + next.due - plan.segments[i - 1].due, next.due - next.opens);
    left -= slowest * next.takes[next.continues ? quality : 0];
    if (!next.continues) break;
  }
  return left >= plan.spare;
}

/// The segment and the next one are in time although both take longer than they would now; the next is of the lowest
/// quality that it may have. `before`: until the segment is begun; `now`: how much longer transfers take than in the long run.
bool is_safe(const QualityPlan& plan, std::size_t i, std::size_t quality, double slack, double before, double now) {
  if (i < plan.starting || quality == 0) return true;
  const double slowest = plan.slowest * now;
  const double takes = slowest * (before + plan.segments[i].takes[quality]), ends = takes + plan.spare;
  if (ends > slack) return false;
  if (i + 1 == plan.segments.size()) return true;
  const PlannedSegment& next = plan.segments[i + 1];
  if (next.continues) return group_is_safe(plan, i, quality, slack - takes, slowest);
  const double until_next = next.due - plan.segments[i].due;
  return ends + slowest * next.takes[0] <= slack + until_next;
}

/// How much longer than in the long run transfers take: some steps of it, and how they follow each other.
class RateSteps {
 public:
  explicit RateSteps(const QualityPlan& plan) : kept_{plan.kept} {
    const double reach = std::max(kReach * plan.drift / std::sqrt(1 - kept_ * kept_), std::abs(plan.now));
    for (std::size_t x = 0; x < kRates; ++x)
      steps_[x] = reach * (static_cast<double>(x) / static_cast<double>(kMiddle) - 1);
    std::ranges::transform(steps_, factors_.begin(), [](double step) { return std::exp(step); });
    first_ = chances_after(plan.now, plan.drift);
    for (std::size_t x = 0; x < kRates; ++x) chances_[x] = chances_after(steps_[x], plan.drift);
  }

  double factor(std::size_t y) const { return factors_[y]; }
  /// Of each step for the first segment, and for one after a segment of step x.
  const ByRate& first() const { return first_; }
  const ByRate& after(std::size_t x) const { return chances_[x]; }

 private:
  ByRate chances_after(double logarithm, double drift) const {
    ByRate chances{};
    const double expected = kept_ * logarithm;
    if (drift > 0) {
      double sum = 0;
      for (std::size_t y = 0; y < kRates; ++y) {
        const double deviations = (steps_[y] - expected) / drift;
        sum += chances[y] = std::exp(-deviations * deviations / 2);
      }
      if (sum > 0) {
        for (double& chance : chances) chance /= sum;
        return chances;
      }
    }
    const auto nearest =
        std::ranges::min_element(steps_, {}, [expected](double step) { return std::abs(step - expected); });
    chances[static_cast<std::size_t>(nearest - steps_.begin())] = 1;
    return chances;
  }

  double kept_;
  ByRate steps_{}, factors_{}, first_{};
  std::array<ByRate, kRates> chances_{};
};

/// What is still to be had from a segment on, from the last segment backwards. The state before a segment is the slack
/// (how long until it is due), the quality before it, and the step of the rate before it.
class ExpectedWorth {
 public:
  explicit ExpectedWorth(const QualityPlan& plan)
      : plan_{plan}, rates_{plan}, worth_(kSlacks * plan.worth.size() * kRates), before_(worth_) {
    for (const PlannedSegment& segment : plan.segments)
      most_slack_ = std::max(most_slack_, segment.due - segment.opens + length_of(0));
    for (std::size_t i = plan.segments.size() - 1; i > 0; --i) go_back_over(i);
  }

  /// Of the whole plan, if its first segment has this quality.
  double of_first(std::size_t quality) const {
    const PlannedSegment& first = plan_.segments.front();
    const double takes = plan_.before + first.takes[quality];
    double sum = gain(first, quality, plan_.previous);
    for (std::size_t y = 0; y < kRates; ++y)
      sum += rates_.first()[y] * after_transfer(0, first.due, quality, y, rates_.factor(y) * takes);
    return sum;
  }

 private:
  std::size_t place(std::size_t slack, std::size_t quality, std::size_t rate) const {
    return (slack * plan_.worth.size() + quality) * kRates + rate;
  }
  /// Those near to standstill lie closer together.
  double slack_at(std::size_t s) const {
    const double part = static_cast<double>(s) / (kSlacks - 1);
    return most_slack_ * part * part;
  }
  double gain(const PlannedSegment& segment, std::size_t quality, std::size_t before) const {
    return segment.share * plan_.worth[quality] - plan_.change * std::abs(plan_.worth[quality] - plan_.worth[before]);
  }
  double length_of(std::size_t i) const {
    if (plan_.segments.size() < 2) return 0;
    const std::size_t from = std::min(i, plan_.segments.size() - 2);
    return plan_.segments[from + 1].due - plan_.segments[from].due;
  }

  double after_transfer(std::size_t i, double slack, std::size_t quality, std::size_t rate, double takes) const {
    const bool starting = i < plan_.starting;
    const double cost = starting ? plan_.start * takes : plan_.stall * std::max(0.0, takes + plan_.spare - slack);
    const double kept = starting ? plan_.segments[i].due : std::max(0.0, slack - takes);
    const double left = std::min(kept + length_of(i), most_slack_);
    const double at = most_slack_ > 0 ? std::sqrt(left / most_slack_) * (kSlacks - 1) : 0;
    const auto s = std::min(static_cast<std::size_t>(at), kSlacks - 2);
    const double low = slack_at(s), part = most_slack_ > 0 ? (left - low) / (slack_at(s + 1) - low) : 0;
    return (1 - part) * worth_[place(s, quality, rate)] + part * worth_[place(s + 1, quality, rate)] - cost;
  }

  /// The most that a safe quality brings from segment `i` on, at this slack and step of the rate.
  double best_of(std::size_t i, std::size_t before, double slack, std::size_t x,
                 const std::vector<ByRate>& expected) const {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t q = 0; q < expected.size() && is_safe(plan_, i, q, slack, 0, rates_.factor(x)); ++q)
      most = std::max(most, gain(plan_.segments[i], q, before) + expected[q][x]);
    return most;
  }

  void go_back_over(std::size_t i) {
    const PlannedSegment& segment = plan_.segments[i];
    const std::size_t qualities = plan_.worth.size();
    std::vector<ByRate> expected(qualities);
    for (std::size_t s = 0; s < kSlacks; ++s) {
      const double slack = std::min(slack_at(s), std::max(0.0, segment.due - segment.opens));
      for (std::size_t q = 0; q < qualities; ++q) {
        ByRate ends{};
        for (std::size_t y = 0; y < kRates; ++y)
          ends[y] = after_transfer(i, slack, q, y, rates_.factor(y) * segment.takes[q]);
        for (std::size_t x = 0; x < kRates; ++x) {
          const ByRate& chances = rates_.after(x);
          double sum = 0;
          for (std::size_t y = 0; y < kRates; ++y) sum += chances[y] * ends[y];
          expected[q][x] = sum;
        }
      }
      for (std::size_t before = 0; before < qualities; ++before) {
        for (std::size_t x = 0; x < kRates; ++x) {
          before_[place(s, before, x)] = segment.continues ? gain(segment, before, before) + expected[before][x]
                                                           : best_of(i, before, slack, x, expected);
        }
      }
    }
    std::swap(worth_, before_);
  }

  const QualityPlan& plan_;
  RateSteps rates_;
  double most_slack_ = 0;
  std::vector<double> worth_, before_;  // by place: from the segment looked at on, and from the one before it
};

}  // namespace

PlannedQuality plan_quality(const QualityPlan& plan) {
  const ExpectedWorth expected{plan};
  PlannedQuality planned;
  double most = -std::numeric_limits<double>::infinity();
  for (std::size_t q = 0; q < plan.worth.size(); ++q) {
    if (!is_safe(plan, 0, q, plan.segments.front().due, plan.before, std::exp(plan.now))) break;
    planned.highest_safe = q;
    const double value = expected.of_first(q);
    if (value <= most + kSameValue) continue;
    most = value;
    planned.quality = q;
  }
  return planned;
}

}  // namespace tributary
