#include "core/qualities/quality_plan.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>

namespace tributary {
namespace {

/// What the header says of one sequence of qualities; nothing if one that is not the lowest is late.
std::optional<double> worth_of(const QualityPlan& plan, const std::vector<std::size_t>& qualities) {
  double sum = 0, end = plan.before;
  auto previous = static_cast<double>(plan.previous);
  for (std::size_t i = 0; i < qualities.size(); ++i) {
    const PlannedSegment& segment = plan.segments[i];
    const auto level = static_cast<double>(qualities[i]);
    end = i == 0 ? end + segment.takes[qualities[i]] : std::max(end, segment.opens) + segment.takes[qualities[i]];
    if (i > 0 && qualities[i] > 0 && end > segment.due - plan.spare) return std::nullopt;
    sum += level - plan.change * std::abs(level - previous);
    if (i > 0) sum -= worth::kLateness * std::max(0.0, end - segment.due);
    previous = level;
  }
  const PlannedSegment& last = plan.segments.back();
  const double in_hand = worth::kPartInHand * std::max(0.0, last.due - last.opens);
  return plan.goes_on ? sum - worth::kTimeInHand * std::max(0.0, in_hand - (last.due - end)) : sum;
}

bool safe(const QualityPlan& plan, std::size_t first) {
  double end = plan.before * plan.slowest;
  for (std::size_t i = 0; i < plan.segments.size(); ++i) {
    end = std::max(end, plan.segments[i].opens) + plan.slowest * plan.segments[i].takes[i == 0 ? first : 0];
    if (end > plan.segments[i].due - plan.spare) return false;
  }
  return true;
}

/// The best of all sequences that begin with this quality, counted through like an odometer.
double best_with(const QualityPlan& plan, std::size_t first) {
  const std::size_t levels = plan.segments.front().takes.size();
  std::vector<std::size_t> qualities(plan.segments.size(), 0);
  qualities[0] = first;
  double best = -std::numeric_limits<double>::infinity();
  for (;;) {
    if (const auto value = worth_of(plan, qualities)) best = std::max(best, *value);
    std::size_t i = 1;
    while (i < qualities.size() && ++qualities[i] == levels) qualities[i++] = 0;
    if (i == qualities.size()) return best;
  }
}

QualityPlan random_plan(std::mt19937& random) {
  const auto between = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(random()) / 4294967296.0;
  };
  QualityPlan plan;
  plan.before = between(0, 2);
  plan.slowest = between(1, 1.6);
  plan.spare = between(0, 0.1);
  plan.goes_on = random() % 2 == 0;
  const std::size_t levels = 2 + random() % 3;
  plan.previous = random() % levels;
  const double room = between(1, 8), rate = between(0.4, 2);
  double due = between(0.2, room);
  for (std::size_t i = 0, count = 1 + random() % 5; i < count; ++i, due += 2) {
    PlannedSegment segment{i == 0 ? 0 : std::max(0.0, due - room), due, {}};
    const double activity = between(0.7, 1.4);
    for (std::size_t q = 0; q < levels; ++q)
      segment.takes.push_back(activity * rate * (0.5 + 0.5 * static_cast<double>(q)));
    plan.segments.push_back(segment);
  }
  return plan;
}

TEST(QualityPlan, IsAsGoodAsTheBestOfAllSequences) {
  std::mt19937 random{20261122};
  for (int n = 0; n < 500; ++n) {
    SCOPED_TRACE(n);
    const QualityPlan plan = random_plan(random);
    double best = best_with(plan, 0);
    std::size_t highest = 0;
    for (std::size_t q = 1; q < plan.segments.front().takes.size(); ++q) {
      if (!safe(plan, q)) continue;
      highest = q;
      best = std::max(best, best_with(plan, q));
    }
    const PlannedQuality planned = plan_quality(plan);
    EXPECT_EQ(planned.highest_safe, highest);
    EXPECT_LE(planned.quality, highest);
    EXPECT_NEAR(best_with(plan, planned.quality), best, 1e-6);
  }
}

TEST(QualityPlan, LooksAheadToALargeSegment) {
  // The next segment but one takes long even in the lowest quality: time has to be saved for it.
  QualityPlan plan{{{0, 2, {0.5, 1.8}}, {0, 4, {0.5, 1.8}}, {2, 6, {4.4, 9}}}};
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  plan.segments[2].takes = {0.5, 1.8};
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

TEST(QualityPlan, IsSafeAlsoIfEverythingTakesLonger) {
  QualityPlan plan{{{0, 2, {0.5, 1.8}}, {0, 4, {0.5, 1.8}}}};
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.slowest = 1.2;
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  EXPECT_EQ(plan_quality(plan).highest_safe, 0U);
}

TEST(QualityPlan, DoesNotChangeForOneSegment) {
  // High is there once; up and down again costs more than nothing, less than the level that it brings.
  QualityPlan plan{{{0, 2, {0.5, 1, 1.5}}, {0, 3, {0.5, 1, 9}}}};
  plan.previous = 1;
  EXPECT_EQ(plan_quality(plan).quality, 2U);
  plan.segments.insert(plan.segments.begin(), {0, 1, {0.4, 0.9, 9}});
  for (PlannedSegment& segment : plan.segments) segment.due += 1;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

}  // namespace
}  // namespace tributary
