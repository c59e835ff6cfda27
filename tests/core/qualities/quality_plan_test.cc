#include "core/qualities/quality_plan.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace tributary {
namespace {

/// The quality may be asked for, `slack` before the segment is due.
bool is_safe(const QualityPlan& plan, std::size_t i, std::size_t quality, double slack) {
  if (i < plan.starting || quality == 0) return true;
  const double takes = (i == 0 ? plan.before : 0) + plan.segments[i].takes[quality];
  if (plan.slowest * takes > slack - plan.spare) return false;
  if (i + 1 == plan.segments.size()) return true;
  const double next_due = plan.segments[i + 1].due - plan.segments[i].due;
  return plan.slowest * (takes + plan.segments[i + 1].takes[0]) <= slack + next_due - plan.spare;
}

/// What the header says of one sequence of qualities, if rates do not drift; nothing if one is not safe with `more`
/// slack than there is.
std::optional<double> worth_of(const QualityPlan& plan, const std::vector<std::size_t>& qualities, double more) {
  double sum = 0, slack = plan.segments.front().due;
  double before = plan.worth[plan.previous];
  for (std::size_t i = 0; i < qualities.size(); ++i) {
    const PlannedSegment& segment = plan.segments[i];
    if (i > 0) slack = std::min(slack, segment.due - segment.opens);
    if (!is_safe(plan, i, qualities[i], i == 0 ? slack : slack + more)) return std::nullopt;
    const double takes = (i == 0 ? plan.before : 0) + segment.takes[qualities[i]];
    const double worth = plan.worth[qualities[i]];
    sum += worth - plan.change * std::abs(worth - before);
    before = worth;
    if (i < plan.starting)
      sum -= plan.start * takes;
    else
      sum -= plan.stall * std::max(0.0, takes + plan.spare - slack);
    const double left = i < plan.starting ? segment.due : std::max(0.0, slack - takes);
    if (i + 1 < qualities.size()) slack = left + plan.segments[i + 1].due - segment.due;
  }
  return sum;
}

/// The best of all sequences that begin with this quality, counted through like an odometer.
double best_with(const QualityPlan& plan, std::size_t first, double more) {
  const std::size_t levels = plan.worth.size();
  std::vector<std::size_t> qualities(plan.segments.size(), 0);
  qualities[0] = first;
  double best = -std::numeric_limits<double>::infinity();
  for (;;) {
    best = std::max(best, worth_of(plan, qualities, more).value_or(best));
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
  plan.change = between(0, 1);
  const std::size_t levels = 2 + random() % 3;
  for (std::size_t q = 0; q < levels; ++q) plan.worth.push_back(static_cast<double>(q) + between(0.2, 1));
  plan.stall = plan.worth.back();
  plan.previous = random() % levels;
  const double room = between(1, 8), rate = between(0.4, 2);
  plan.starting = random() % 2 * (random() % 4);
  plan.start = between(0, 1) * plan.stall;
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

/// Two qualities, worth 0 and 1.
QualityPlan two_qualities(std::vector<PlannedSegment> segments) {
  QualityPlan plan;
  plan.segments = std::move(segments);
  plan.worth = {0, 1};
  plan.change = 0.15;
  plan.stall = 10;
  return plan;
}

TEST(QualityPlan, IsAsGoodAsTheBestOfAllSequencesIfRatesDoNotDrift) {
  constexpr double kOfTheGrid = 0.1, kStep = 0.35;  // slacks are steps: what is barely safe may not be, and the reverse
  std::mt19937 random{20261122};
  for (int n = 0; n < 500; ++n) {
    SCOPED_TRACE(n);
    const QualityPlan plan = random_plan(random);
    double best = best_with(plan, 0, -kStep);
    std::size_t highest = 0;
    for (std::size_t q = 1; q < plan.worth.size() && is_safe(plan, 0, q, plan.segments.front().due); ++q) {
      highest = q;
      best = std::max(best, best_with(plan, q, -kStep));
    }
    const PlannedQuality planned = plan_quality(plan);
    EXPECT_EQ(planned.highest_safe, highest);
    EXPECT_LE(planned.quality, highest);
    EXPECT_GE(best_with(plan, planned.quality, kStep), best - kOfTheGrid);
  }
}

TEST(QualityPlan, DoesNotRiseToWhereItWouldHaveToFall) {
  const std::vector<double> takes{0.5, 2.2};
  QualityPlan plan = two_qualities({{0, 3, takes}, {0, 5, takes}, {0, 7, takes}, {0, 9, takes}});
  plan.change = 0.5;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.slowest = 1.35;  // the first may be high, then not the second
  EXPECT_EQ(plan_quality(plan).highest_safe, 1U);
  EXPECT_EQ(plan_quality(plan).quality, 0U);
}

TEST(QualityPlan, BeginsSoonerTheMoreTheStartCosts) {
  QualityPlan plan;
  plan.worth = {1, 3};
  plan.stall = 3;
  for (double due = 0; due < 8; due += 2) plan.segments.push_back({0, due, {0.5, 1.5}});
  plan.starting = 3;
  for (const auto& [start, quality] : {std::pair{0.0, 1U}, {1.0, 1U}, {3.0, 0U}}) {
    plan.start = start;
    EXPECT_EQ(plan_quality(plan).quality, quality) << start;
  }
}

TEST(QualityPlan, LooksAheadToALargeSegment) {
  // The next segment but one takes long even in the lowest quality: time has to be saved for it.
  QualityPlan plan = two_qualities({{0, 2, {0.5, 1.8}}, {0, 4, {0.5, 1.8}}, {2, 6, {4.4, 9}}});
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  plan.segments[2].takes = {0.5, 1.8};
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

TEST(QualityPlan, IsSafeAlsoIfEverythingTakesLonger) {
  QualityPlan plan = two_qualities({{0, 2, {0.5, 1.8}}, {0, 4, {0.5, 1.8}}});
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.slowest = 1.2;
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  EXPECT_EQ(plan_quality(plan).highest_safe, 0U);
}

TEST(QualityPlan, TakesLessTheFurtherRatesDrift) {
  QualityPlan plan = two_qualities({{0, 2, {0.5, 1.8}}, {0, 4, {0.5, 1.8}}, {2, 6, {0.5, 1.8}}});
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.drift = 0.3;
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  for (PlannedSegment& segment : plan.segments) segment.due += 4;  // with much slack, a slower link is no harm
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

TEST(QualityPlan, CountsOnThePresentRateNowAndOnTheLongRunLater) {
  QualityPlan plan = two_qualities({{0, 2, {0.4, 1.5}}, {0, 4, {0.4, 1.5}}});
  plan.drift = 0.05;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.now = std::log(2.0);  // transfers take twice as long
  EXPECT_EQ(plan_quality(plan).quality, 0U);
}

TEST(QualityPlan, DoesNotChangeForOneSegment) {
  // High is there once; up and down again costs more than nothing, less than the level that it brings.
  QualityPlan plan;
  plan.segments = {{0, 2, {0.5, 1, 1.5}}, {0, 3, {0.5, 1, 9}}};
  plan.worth = {0, 1, 2};
  plan.change = 0.15;
  plan.stall = 10;
  plan.previous = 1;
  EXPECT_EQ(plan_quality(plan).quality, 2U);
  plan.change = 0.6;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

TEST(QualityPlan, ASegmentThatContinuesAnotherHasItsQuality) {
  // The first would be there in both qualities; what continues it would be late in the higher one.
  QualityPlan plan = two_qualities({{0, 1, {0.1, 0.5}}, {0, 1.5, {0.1, 3}, true, 0.5}});
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  plan.segments[1].continues = false;
  EXPECT_EQ(plan_quality(plan).quality, 1U) << "the second may be of the lower one";
}

TEST(QualityPlan, IsSafeForAllThatContinuesTheSegment) {
  // Each part takes .4 s of .5: in time, with .3 s to spare at the end. At 1.5 times that, .1 s a part are lost.
  const auto part = [](double due, bool continues) { return PlannedSegment{0, due, {0.1, 0.4}, continues, 0.25}; };
  QualityPlan plan =
      two_qualities({part(0.7, false), part(1.2, true), part(1.7, true), part(2.2, true), part(2.7, false)});
  plan.stall = 0;
  plan.slowest = 1.5;
  EXPECT_EQ(plan_quality(plan).highest_safe, 0U) << "the third part would be .1 s late";
  for (PlannedSegment& segment : plan.segments) segment.due += 0.21;
  EXPECT_EQ(plan_quality(plan).highest_safe, 1U);
  for (PlannedSegment& segment : plan.segments) segment.continues = false;
  for (PlannedSegment& segment : plan.segments) segment.due -= 0.21;
  EXPECT_EQ(plan_quality(plan).highest_safe, 1U) << "the second may be of the lower one";
}

TEST(QualityPlan, RatesThatStayArePlannedFurtherThanThoseThatReturn) {
  QualityPlan plan = two_qualities({{0, 2, {0.5, 1}}, {0, 3, {0.5, 1}}, {0, 4, {0.5, 1}}, {0, 5, {0.5, 1}}});
  plan.now = std::log(1.7);
  plan.kept = 0.2;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
  plan.kept = 0.99;
  EXPECT_EQ(plan_quality(plan).quality, 0U);
}

TEST(QualityPlan, SegmentsCountByTheirShare) {
  // A change costs .15; what is gained by it is 1 a whole segment.
  QualityPlan plan = two_qualities({{0, 5, {0.1, 0.2}, false, 0.1}});
  EXPECT_EQ(plan_quality(plan).quality, 0U);
  plan.segments[0].share = 0.2;
  EXPECT_EQ(plan_quality(plan).quality, 1U);
}

}  // namespace
}  // namespace tributary
