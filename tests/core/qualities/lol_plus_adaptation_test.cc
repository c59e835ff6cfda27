#include "core/qualities/adaptations/lol_plus_adaptation.hh"

#include <gtest/gtest.h>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

/// Segment 3, of two seconds, at the target.
AdaptationInput near_live(Duration level) {
  AdaptationInput input = at_level(level);
  input.latency = input.target_latency = 2500ms;
  return input;
}

/// The rate at which this bitrate is 10 kbit/s below 0.9 of it.
DataRate just_carries(DataRate bitrate) { return DataRate::bits_per_second((bitrate.bits_per_second() + 10e3) / 0.9); }

QualityIndex first_choice(DataRate rate, Duration level) {
  LolPlusAdaptation rule;
  rule.measured(carried(rate, 1s));
  return rule.choose(near_live(level), doubling_table()).quality;
}

TEST(LolPlusAdaptation, BeginsWithTheLowest) {
  EXPECT_EQ(LolPlusAdaptation{}.choose(near_live(2s), doubling_table()).quality, kLow);
}

TEST(LolPlusAdaptation, TakesTheQualityNearestToTheThroughput) {
  EXPECT_EQ(first_choice(20_Mbps, 2s), kSuper);
  EXPECT_EQ(first_choice(just_carries(3200_kbps) + 10_kbps, 2s), kSuper);
  EXPECT_EQ(first_choice(just_carries(1600_kbps) + 10_kbps, 2s), kHigh);
  EXPECT_EQ(first_choice(just_carries(800_kbps) + 10_kbps, 2s), kMedium);
}

TEST(LolPlusAdaptation, AQualityAboveTheThroughputIsFurtherAway) {
  // Its weight is 100 instead of .2, and so its distance 22.4 times as long: of the 800 kbit/s between two qualities, the last
  // 34.2 lead to the higher one.
  EXPECT_EQ(first_choice((1600_kbps - 35_kbps) / 0.9, 2s), kMedium);
  EXPECT_EQ(first_choice((1600_kbps - 34_kbps) / 0.9, 2s), kHigh);
  EXPECT_EQ(first_choice((800_kbps - 18_kbps) / 0.9, 2s), kLow) << "17.1 of 400";
}

TEST(LolPlusAdaptation, TakesTheNextLowerOneThatIsCarriedWhereTheBufferRunsLow) {
  LolPlusAdaptation rule;
  rule.measured(carried(20_Mbps, 1s));
  EXPECT_EQ(rule.choose(near_live(2s), doubling_table()).quality, kSuper);
  // At .9 * 4 Mbit/s, super takes 1.78 s; .3 s more must be buffered.
  rule.measured(carried(4_Mbps, 100s));
  EXPECT_EQ(rule.choose(near_live(2090ms), doubling_table()).quality, kSuper);
  EXPECT_EQ(rule.choose(near_live(2070ms), doubling_table()).quality, kHigh);
  // At .9 * 700 kbit/s, high takes 5.1 s, and medium is not carried.
  rule.measured(carried(700_kbps, 100s));
  EXPECT_EQ(rule.choose(near_live(2070ms), doubling_table()).quality, kLow);
}

LiveSituation behind(Duration latency, Duration ahead) { return {latency, 2500ms, ahead, 500ms}; }

TEST(LolPlusAdaptation, PlaysFasterBehindItsTargetAndSlowerWithALowBuffer) {
  const LolPlusAdaptation rule;
  const auto speed = [&](Duration latency, Duration ahead) { return *rule.speed(behind(latency, ahead)); };
  EXPECT_DOUBLE_EQ(speed(2500ms, 2s), 1);
  EXPECT_DOUBLE_EQ(speed(2550ms, 2s), 1) << "2 % of the target";
  EXPECT_DOUBLE_EQ(speed(4500ms, 2s), 1.1);
  EXPECT_DOUBLE_EQ(speed(500ms, 2s), 0.95);
  EXPECT_DOUBLE_EQ(speed(2700ms, 2s), 1.05) << ".9 + .2 / (1 + e^-1) = 1.046";
  EXPECT_DOUBLE_EQ(speed(4500ms, 300ms), 0.98) << ".95 + .1 / (1 + e^1) = .977";
  EXPECT_DOUBLE_EQ(speed(4500ms, 0s), 0.96) << ".95 + .1 / (1 + e^2.5) = .958";
}

}  // namespace
}  // namespace tributary
