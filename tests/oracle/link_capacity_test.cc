#include "oracle/link_capacity.hh"

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TimePoint at(Duration time) { return TimePoint{time}; }

LinkCapacity whole_frames(std::string_view scenario) { return LinkCapacity{parse_scenario(scenario), at(1h), 1}; }

TEST(LinkCapacity, NothingComesWithinTheFirstRoundTrip) {
  const LinkCapacity capacity = whole_frames("wifi 8Mbps 20ms");
  EXPECT_EQ(capacity.delivered_until(at(0s)), 0_B);
  EXPECT_EQ(capacity.delivered_until(at(20ms)), 0_B);
  EXPECT_EQ(capacity.delivered_until(at(21ms)), 1_kB);
  EXPECT_EQ(capacity.delivered_until(at(2020ms)), 2_MB);
}

TEST(LinkCapacity, FollowsTheRateOverTime) {
  const LinkCapacity capacity = whole_frames("lte 8Mbps 0ms, at 2s 4Mbps, down 3s..5s, at 6s 0Mbps");
  EXPECT_EQ(capacity.delivered_until(at(2s)), 2_MB);
  EXPECT_EQ(capacity.delivered_until(at(3s)), 2500_kB);
  EXPECT_EQ(capacity.delivered_until(at(4s)), 2500_kB);
  EXPECT_EQ(capacity.delivered_until(at(5500ms)), 2750_kB);
  EXPECT_EQ(capacity.delivered_until(at(30min)), 3_MB);
}

TEST(LinkCapacity, LinksAddUpEachFromItsOwnFirstByteOn) {
  const LinkCapacity capacity = whole_frames("wifi 8Mbps 100ms; lte 4Mbps 600ms, at 2s 8Mbps");
  EXPECT_EQ(capacity.delivered_until(at(600ms)), 500_kB);
  EXPECT_EQ(capacity.delivered_until(at(1600ms)), 2_MB);
  EXPECT_EQ(capacity.delivered_until(at(3s)), 2900_kB + 700_kB + 1_MB);
}

TEST(LinkCapacity, CountsThePayloadOfFramesOnly) {
  const LinkCapacity capacity{parse_scenario("wifi 12112kbps 0ms"), at(1h)};  // 1000 frames a second
  EXPECT_EQ(capacity.delivered_until(at(1s)), 1448_kB);
}

TEST(LinkCapacity, TheInverseIsTheFirstMomentOfEnough) {
  const LinkCapacity capacity = whole_frames("lte 8Mbps 100ms, down 3100ms..5s");
  EXPECT_EQ(capacity.delivered_at(0_B), at(0s));
  EXPECT_EQ(capacity.delivered_at(1_B), at(100001us));
  EXPECT_EQ(capacity.delivered_at(3_MB), at(3100ms));
  EXPECT_EQ(capacity.delivered_at(3_MB + 1_B), at(5000001us));
}

TEST(LinkCapacity, WhatNeverComesHasNoMoment) {
  EXPECT_EQ(whole_frames("lte 8Mbps 0ms, down 3s..").delivered_at(3_MB + 1_B), std::nullopt);
  EXPECT_EQ(whole_frames("lte 8Mbps 0ms, joins 2h").delivered_at(1_B), std::nullopt);
  const LinkCapacity capacity = whole_frames("lte 8Mbps 0ms");
  EXPECT_EQ(capacity.delivered_at(3600_MB), at(1h));
  EXPECT_EQ(capacity.delivered_at(3600_MB + 1_B), std::nullopt);
  EXPECT_EQ(capacity.delivered_until(at(2h)), 3600_MB);
}

TEST(LinkCapacity, AScenarioWithAPeriodRepeats) {
  LinkScenario link = parse_scenario("lte 8Mbps 0ms, at 1s 16Mbps").front();
  link.period = 2s;
  const LinkCapacity capacity{std::vector{link}, at(1h), 1};
  EXPECT_EQ(capacity.delivered_until(at(2s)), 3_MB);
  EXPECT_EQ(capacity.delivered_until(at(21s)), 31_MB);
  EXPECT_EQ(capacity.delivered_at(35_MB), at(23500ms));
}

/// The definition, link by link and without a table.
double integral(const std::vector<LinkScenario>& links, TimePoint end) {
  double bytes = 0;
  for (const LinkScenario& link : links) {
    for (TimePoint from{link.changes.front().condition.rtt}; from < end;) {
      const TimePoint until = std::min(link.next_change(from).value_or(end), end);
      if (link.at(from).up) bytes += link.at(from).rate.bits_per_second() / 8 * to_seconds(until - from);
      from = until;
    }
  }
  return bytes;
}

TEST(LinkCapacity, IsTheIntegralAndItsInverseInRandomScenarios) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<LinkScenario> links = parse_scenario("dynamics " + std::to_string(seed));
    const LinkCapacity capacity{links, at(3h), 1};
    SplitMix random{seed};
    for (int i = 0; i < 20; ++i) {
      const TimePoint time = at(from_seconds(100 * random.uniform()));
      EXPECT_NEAR(static_cast<double>(capacity.delivered_until(time).bytes()), integral(links, time), 0.51)
          << "seed " << seed << " at " << to_seconds(time);
      const DataSize wanted{random.below(2'000'000'000)};  // 3 Mbit/s over 1.5 h: the scenario loops after one
      const auto when = capacity.delivered_at(wanted);
      ASSERT_TRUE(when) << "seed " << seed << ", bytes " << wanted.bytes();
      EXPECT_EQ(capacity.delivered_until(*when), wanted) << "seed " << seed;
      EXPECT_LT(capacity.delivered_until(*when - 10us), wanted) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace tributary
