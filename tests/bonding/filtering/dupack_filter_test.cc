// Duplicate acknowledgments that come of paths with different delays are dropped, all others pass: a receiver in virtual time,
// whose segments and acknowledgments take what each path takes.
#include "bonding/filtering/dupack_filter.hh"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kSize = 1460;

struct Counts {
  int duplicates = 0, dropped = 0, passed = 0;  // of duplicates
  std::uint32_t most_expected = 0;
  std::optional<TimePoint> first_passed;
};

/// Sends a segment each 4 ms. One may be lost, and is not sent again.
class OneConnection {
 public:
  OneConnection(std::vector<Duration> round_trips, std::uint32_t first = 1)
      : filter{round_trips}, trips_{std::move(round_trips)}, first_{first}, missing_{first} {}

  Counts run(int segments, std::optional<int> lost = {}) {
    for (int i = 0; i < segments; ++i) {
      const TimePoint now = TimePoint{} + i * 4ms;
      acknowledge_until(now);
      const std::uint32_t sequence = first_ + static_cast<std::uint32_t>(i) * kSize;
      const std::size_t path = filter.path_of({sequence, kSize}, now);
      counts_.most_expected = std::max(counts_.most_expected, filter.expected());
      if (lost != i)
        on_its_way_.emplace(now + trips_[path], sequence);
      else
        lost_acknowledged_at = now + trips_[path];
    }
    acknowledge_until(TimePoint::max());
    return counts_;
  }

  DupackFilter filter;
  TimePoint lost_acknowledged_at{};

 private:
  void acknowledge_until(TimePoint now) {
    while (!on_its_way_.empty() && on_its_way_.begin()->first < now) {
      const auto [at, sequence] = *on_its_way_.begin();
      on_its_way_.erase(on_its_way_.begin());
      received_.insert(sequence);
      const std::uint32_t before = missing_;
      while (received_.contains(missing_)) missing_ += kSize;
      const bool passes = filter.passes({.number = missing_, .window = 1000}, at);
      if (missing_ != before) {
        EXPECT_TRUE(passes);
        continue;
      }
      ++counts_.duplicates;
      ++(passes ? counts_.passed : counts_.dropped);
      if (passes && !counts_.first_passed) counts_.first_passed = at;
    }
  }

  std::vector<Duration> trips_;
  std::uint32_t first_, missing_;
  std::multimap<TimePoint, std::uint32_t> on_its_way_;
  std::set<std::uint32_t> received_;
  Counts counts_;
};

TEST(DupackFilter, TwoPathsOfWhichOneIsTwiceAsLong) {
  OneConnection flow{{40ms, 80ms}};
  const Counts counts = flow.run(400);
  EXPECT_EQ(counts.duplicates, 199);
  EXPECT_EQ(counts.dropped, 199);
  EXPECT_EQ(counts.passed, 0);
  EXPECT_EQ(flow.filter.expected(), 0U);
  EXPECT_EQ(counts.most_expected, 6U);
}

TEST(DupackFilter, ThreePaths) {
  OneConnection flow{{40ms, 80ms, 120ms}};
  const Counts counts = flow.run(400);
  EXPECT_EQ(counts.duplicates, 265);
  EXPECT_EQ(counts.dropped, 265);
  EXPECT_EQ(counts.passed, 0);
  EXPECT_EQ(counts.most_expected, 11U);
}

TEST(DupackFilter, SequenceNumbersThatBeginAnew) {
  const Counts counts = OneConnection{{40ms, 80ms}, 0xffffffffU - 100 * kSize}.run(400);
  EXPECT_EQ(counts.dropped, 199);
  EXPECT_EQ(counts.passed, 0);
}

TEST(DupackFilter, PathsThatAreAlikeHaveNothingToBeDropped) {
  OneConnection flow{{60ms, 60ms}};
  const Counts counts = flow.run(400);
  EXPECT_EQ(counts.duplicates, 0);
  EXPECT_EQ(counts.most_expected, 0U);
}

/// The duplicates that it causes are taken for expected ones until those are used up.
TEST(DupackFilter, ALossIsSeenAfterWhatIsOnItsWayOverAllPathsButTheLongest) {
  const auto seen_after = [](std::vector<Duration> trips, int lost) {
    OneConnection flow{std::move(trips)};
    const Counts counts = flow.run(400, lost);
    return to_seconds(counts.first_passed.value() - flow.lost_acknowledged_at);
  };
  EXPECT_NEAR(seen_after({40ms, 80ms}, 101), 0.048, 0.005);
  EXPECT_NEAR(seen_after({40ms, 200ms}, 101), 0.048, 0.005);
  EXPECT_NEAR(seen_after({40ms, 80ms, 120ms}, 101), 0.132, 0.013);
}

struct Retransmission : ::testing::Test {
  void SetUp() override {
    for (std::uint32_t i = 0; i < 4; ++i) filter.path_of({1 + i * kSize, kSize}, now);
    ASSERT_GT(filter.expected(), 0U);
  }
  TimePoint now = TimePoint{} + 1s;
  DupackFilter filter{{80ms, 40ms}};
};

TEST_F(Retransmission, EndsTheFilterAndTakesTheNearestPathUntilAllBeforeItIsAcknowledged) {
  EXPECT_EQ(filter.path_of({1, kSize}, now + 10ms), 1U);
  EXPECT_TRUE(filter.repairing());
  EXPECT_EQ(filter.expected(), 0U);
  EXPECT_EQ(filter.path_of({1 + 4 * kSize, kSize}, now + 11ms), 1U);
  EXPECT_TRUE(filter.passes({.number = 1 + kSize, .window = 9}, now + 50ms));
  EXPECT_TRUE(filter.passes({.number = 1 + kSize, .window = 9}, now + 51ms)) << "duplicates as well";
  EXPECT_TRUE(filter.passes({.number = 1 + 4 * kSize, .window = 9}, now + 60ms));
  EXPECT_TRUE(filter.repairing()) << "acknowledgments of the longer path may be on their way";
  EXPECT_TRUE(filter.passes({.number = 1 + 5 * kSize, .window = 9}, now + 90ms));
  EXPECT_FALSE(filter.repairing());
}

TEST_F(Retransmission, WhatSaysMoreThanADuplicatePasses) {
  ASSERT_TRUE(filter.passes({.number = 1, .window = 9}, now));
  EXPECT_TRUE(filter.passes({.number = 1, .window = 9, .carries_more = true}, now)) << "data";
  EXPECT_TRUE(filter.passes({.number = 1, .window = 10}, now)) << "a new window";
  EXPECT_FALSE(filter.passes({.number = 1, .window = 10}, now));
  EXPECT_TRUE(filter.passes({.number = 0, .window = 9}, now)) << "late";
}

TEST_F(Retransmission, WhereNothingIsOutstandingNothingIsADuplicate) {
  EXPECT_TRUE(filter.passes({.number = 1 + 4 * kSize, .window = 9}, now));
  EXPECT_TRUE(filter.passes({.number = 1 + 4 * kSize, .window = 9}, now));
}

}  // namespace
}  // namespace tributary::bonding
