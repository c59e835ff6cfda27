#include "oracle/oracle.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <string_view>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;

constexpr QualityIndex kLow{0}, kMedium{1}, kHigh{2}, kSuper{3};

/// The averages of the thesis' ladder (Table 4.1) at a constant rate: 746, 1300, 2142 and 3010 kbit/s, two seconds.
SegmentTable thesis_table(std::size_t segments) {
  return testing::constant_table(segments, {186'500_B, 325_kB, 535'500_B, 752'500_B});
}

/// On links that carry nothing but payload.
OracleBounds bounds(const SegmentTable& table, std::string_view scenario, OracleOptions options) {
  const auto found = best_possible(table, parse_scenario(scenario), options, 1);
  if (!found) throw std::runtime_error("never complete");
  return *found;
}

OracleRun best(const SegmentTable& table, std::string_view scenario, OracleOptions options) {
  return bounds(table, scenario, options).upper;
}

constexpr OracleOptions on_demand(std::uint32_t buffer, Duration startup) { return {0, buffer, startup}; }
constexpr OracleOptions live(std::uint32_t buffer, Duration startup) { return {1, buffer, startup}; }

TEST(Oracle, ALinkThatIsJustFastEnoughGivesTheHighestQualityThroughout) {
  const OracleRun run = best(thesis_table(100), "lan 3010kbps 0ms", on_demand(2, 2s));
  EXPECT_THAT(run.qualities, Each(kSuper));
  EXPECT_EQ(run.qualities.size(), 100U);
  EXPECT_EQ(run.mean_level, 3);
  EXPECT_THAT(run.shares, ElementsAre(0, 0, 0, 1));
  EXPECT_EQ(run.misses, 0U);
}

TEST(Oracle, OneKilobitASecondLessCostsTheFirstSegmentALevel) {
  const OracleRun run = best(thesis_table(100), "lan 3009kbps 0ms", on_demand(2, 2s));
  EXPECT_EQ(run.qualities.front(), kHigh);
  EXPECT_DOUBLE_EQ(run.mean_level, 2.99);
  EXPECT_DOUBLE_EQ(run.shares[2], 0.01);
}

TEST(Oracle, LinksTogetherAreAsGoodAsOneLinkOfTheirSum) {
  const SegmentTable table = thesis_table(50);
  for (const std::uint32_t buffer : {1U, 2U, 6U}) {
    const OracleRun one = best(table, "lan 2600kbps 30ms", on_demand(buffer, 3s));
    EXPECT_EQ(best(table, "a 1300kbps 30ms; b 1300kbps 30ms", on_demand(buffer, 3s)).qualities, one.qualities);
    EXPECT_EQ(best(table, "a 2080kbps 30ms; b 520kbps 30ms", on_demand(buffer, 3s)).qualities, one.qualities);
    EXPECT_LT(one.mean_level, 3);
    EXPECT_GT(one.mean_level, 2);
  }
}

TEST(Oracle, WithABufferOfOneARoundTripIsLostForEverySegment) {
  // 1.5 s of 3010 kbit/s are 4515 kbit: high has 4284, super 6020.
  EXPECT_THAT(best(thesis_table(20), "lan 3010kbps 500ms", on_demand(1, 2s)).qualities, Each(kHigh));
  // With two, the next segment is on the way meanwhile: only the first round trip is lost.
  const OracleRun two = best(thesis_table(20), "lan 3010kbps 500ms", on_demand(2, 2s));
  EXPECT_EQ(two.qualities.front(), kHigh);
  EXPECT_DOUBLE_EQ(two.mean_level, (2 + 19 * 3) / 20.0);
}

TEST(Oracle, FourSegmentsByHand) {
  // 375 kB for each two seconds, so four times medium fits, 325 kB each. The cheapest way to one level more, medium
  // three times and high, are 1510.5 kB of the 1500 there are.
  EXPECT_DOUBLE_EQ(best(thesis_table(4), "lan 1500kbps 0ms", on_demand(4, 2s)).mean_level, 1);
}

TEST(Oracle, GivesUpAnExpensiveLevelForSeveralCheapOnes) {
  // Due at 300, 400, 500 and 600 kB. With the first high, the others can only be low: 300 400 500 600.
  const SegmentTable table{testing::presentation_of(
      {{"low", {100_kB, 100_kB, 100_kB, 100_kB}}, {"high", {300_kB, 150_kB, 150_kB, 150_kB}}})};
  EXPECT_THAT(best(table, "lan 400kbps 0ms", on_demand(4, 6s)).qualities,
              ElementsAre(kLow, kMedium, kMedium, kMedium));  // 100 250 400 550
}

TEST(Oracle, ABufferLetsAMeanRateBeUsed) {
  // 150 kB for each segment of 100 or 200: with room for the next, each second one is high.
  const SegmentTable table = testing::constant_table(4, {100_kB, 200_kB});
  EXPECT_DOUBLE_EQ(best(table, "lan 600kbps 0ms", on_demand(1, 2s)).mean_level, 0);
  EXPECT_THAT(best(table, "lan 600kbps 0ms", on_demand(2, 2s)).qualities, ElementsAre(kLow, kMedium, kLow, kMedium));
}

TEST(Oracle, LiveSegmentsCannotBeFetchedBeforeTheyExist) {
  // 150 kB between publications: a saving of 50 kB waits for the next segment to exist, and is lost.
  const SegmentTable table = testing::constant_table(4, {100_kB, 200_kB});
  EXPECT_DOUBLE_EQ(best(table, "lan 600kbps 0ms", live(2, 2s)).mean_level, 0);
  // 200 kB take 2.67 s. With that much from publication to playout, a segment after a low one can be high.
  EXPECT_DOUBLE_EQ(best(table, "lan 600kbps 0ms", live(2, 2670ms)).mean_level, 0.5);
}

TEST(Oracle, ADeadLinkIsOneUnavoidableStall) {
  const OracleRun run = best(thesis_table(50), "lan 3010kbps 0ms, joins 10s", on_demand(2, 2s));
  EXPECT_EQ(run.misses, 1U);
  EXPECT_NEAR(to_seconds(run.miss_total), 8 + 1492.0 / 3010, 1e-8);
  EXPECT_EQ(run.miss_max, run.miss_total);
  EXPECT_EQ(run.qualities.front(), kLow);
  EXPECT_DOUBLE_EQ(run.mean_level, 49 * 3 / 50.0);
}

TEST(Oracle, AnOutageWithinIsBridgedByTheBufferOrMissed) {
  // Playout at 4 s. Six segments last until 16 s if they are complete by 5 s, low: 6 x 186.5 kB of 1250.
  const std::string_view scenario = "lan 2Mbps 0ms, down 5s..15s";
  EXPECT_EQ(best(thesis_table(20), scenario, on_demand(7, 4s)).misses, 0U);
  // Segments 0 to 2 play until 10 s, and 3 may be requested at 4 s and is complete: until 12 s. The next, at 6 s, is
  // 186.5 kB at 250 kB/s after the outage.
  const OracleRun run = best(thesis_table(20), scenario, on_demand(3, 4s));
  EXPECT_EQ(run.misses, 1U);
  EXPECT_NEAR(to_seconds(run.miss_max), 15 + 0.746 - 12, 1e-8);
}

TEST(Oracle, UnequalRoundTripsAreBracketed) {
  const SegmentTable table = thesis_table(30);
  // For each segment 6169 kbit if its first byte comes after 10 ms, super; 5270 after 300 ms, high.
  const OracleBounds b = bounds(table, "a 1600kbps 10ms; b 1500kbps 300ms", on_demand(1, 3s));
  EXPECT_DOUBLE_EQ(b.lower.mean_level, (3 + 29 * 2) / 30.0);  // there is more time for the first
  EXPECT_EQ(b.upper.mean_level, 3);
  const OracleBounds equal = bounds(table, "a 1500kbps 10ms; b 1500kbps 10ms", on_demand(1, 3s));
  EXPECT_EQ(equal.lower.qualities, equal.upper.qualities);
}

TEST(Oracle, WithoutEnoughBytesThereIsNoAnswer) {
  EXPECT_FALSE(best_possible(thesis_table(4), parse_scenario("lan 3Mbps 0ms, down 1s.."), on_demand(2, 2s), 1));
}

}  // namespace
}  // namespace tributary
