#include "simulation/thesis_dynamics.hh"

#include <gtest/gtest.h>

#include <set>

#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(SplitMix, GivesThePublishedNumbers) {
  SplitMix random{1234567};
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
}

TEST(ThesisDynamics, StaysWithinTheLimitsOfTheThesis) {
  std::set<Duration> intervals;
  std::set<double> rates_mbps;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto links = thesis_dynamics(seed, 3_Mbps);
    ASSERT_EQ(links.size(), 2u);
    ASSERT_EQ(links[0].changes.size(), links[1].changes.size());
    for (std::size_t i = 0; i < links[0].changes.size(); ++i) {
      const LinkChange &near = links[0].changes[i], &far = links[1].changes[i];
      EXPECT_EQ(near.at, far.at);
      EXPECT_EQ(near.condition.rate + far.condition.rate, 3_Mbps);
      rates_mbps.insert(near.condition.rate / 1_Mbps);
      EXPECT_TRUE(0ms <= near.condition.rtt && near.condition.rtt <= 20ms) << "seed " << seed;
      EXPECT_TRUE(20ms <= far.condition.rtt && far.condition.rtt <= 80ms) << "seed " << seed;
      if (i > 0) intervals.insert(near.at - links[0].changes[i - 1].at);
    }
  }
  EXPECT_EQ(rates_mbps, (std::set<double>{0.5, 1, 1.5, 2, 2.5}));
  EXPECT_EQ(intervals, (std::set<Duration>{2s, 3s, 4s, 5s, 6s, 7s, 8s, 9s, 10s}));
}

TEST(ThesisDynamics, RttOfLinkOneCentresOnTenMilliseconds) {
  const auto links = thesis_dynamics(1, 3_Mbps);
  double sum_ms = 0;
  int within_one_deviation = 0;
  for (const LinkChange& change : links[0].changes) {
    sum_ms += to_seconds(change.condition.rtt) * 1e3;
    within_one_deviation += 5ms <= change.condition.rtt && change.condition.rtt <= 15ms ? 1 : 0;
  }
  const auto count = static_cast<double>(links[0].changes.size());
  EXPECT_NEAR(sum_ms / count, 10, 1);                      // 600 values of deviation 5: 0.2 expected
  EXPECT_NEAR(within_one_deviation / count, 0.683, 0.08);  // the normal distribution
}

TEST(ThesisDynamics, ASeedIsAPromise) {
  EXPECT_EQ(parse_scenario("dynamics 7"), thesis_dynamics(7, 3_Mbps));
  EXPECT_NE(thesis_dynamics(7, 3_Mbps), thesis_dynamics(8, 3_Mbps));
  const auto links = parse_scenario("dynamics 12Mbps 7");
  EXPECT_EQ(links[0].at(TimePoint{}).rate, 4 * thesis_dynamics(7, 3_Mbps)[0].at(TimePoint{}).rate);
  EXPECT_EQ(links[0].period, Duration{1h});
}

}  // namespace
}  // namespace tributary
