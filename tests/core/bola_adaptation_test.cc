#include "core/bola_adaptation.hh"

#include <gtest/gtest.h>

#include <cmath>

#include "core/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

const double kV = 24 / (std::log(8) + 5);  // room of 24 s, and 3200 kbit/s are 8 times 400

/// The level at which the quality and the next one, of twice the bitrate, score the same:
///   (V (u + 5) - level) / b = (V (u + ln 2 + 5) - level) / 2b
Duration threshold(QualityIndex quality) {
  const double u = static_cast<double>(to_index(quality)) * std::log(2);
  return from_seconds(kV * (5 + u - std::log(2)));
}

TEST(BolaAdaptation, BeginsWithTheLowest) {
  BolaAdaptation rule;
  EXPECT_EQ(rule.choose(at_level(24s), doubling_table()).quality, kLow);
}

TEST(BolaAdaptation, RisesAndFallsWithTheBufferWhateverTheThroughput) {
  BolaAdaptation rule;
  rule.measured(carried(100_Mbps, 1s));
  const auto at = [&](Duration level) { return rule.choose(at_level(level), doubling_table()).quality; };
  EXPECT_EQ(at(threshold(kLow) - 1ms), kLow);
  EXPECT_EQ(at(threshold(kLow) + 1ms), kMedium);
  EXPECT_EQ(at(threshold(kMedium) - 1ms), kMedium);
  EXPECT_EQ(at(threshold(kMedium) + 1ms), kHigh);
  EXPECT_EQ(at(threshold(kHigh) - 1ms), kHigh);
  EXPECT_EQ(at(threshold(kHigh) + 1ms), kSuper);
  EXPECT_EQ(at(threshold(kLow) - 1ms), kLow);
}

TEST(BolaAdaptation, AStepUpwardsEndsAtMostOneAboveWhatTheThroughputSustains) {
  BolaAdaptation rule;
  rule.measured(carried(900_kbps, 1s));  // sustains medium
  EXPECT_EQ(rule.choose(at_level(23s), doubling_table()).quality, kHigh);
  rule.measured(carried(410_kbps, 60s));                                   // sustains low
  EXPECT_EQ(rule.choose(at_level(23s), doubling_table()).quality, kHigh);  // no step, and none downwards
  EXPECT_EQ(rule.choose(at_level(threshold(kMedium) - 1ms), doubling_table()).quality, kMedium);
}

TEST(BolaAdaptation, WhereItWouldWaitItTakesWhatItWouldWaitFor) {
  BolaAdaptation rule;
  rule.measured(carried(100_Mbps, 1s));
  // V (u_max + 5) are 24 s: above, every score is negative, and at 24 s that of the highest is the first that
  // is not.
  EXPECT_EQ(rule.choose(at_level(24s), doubling_table()).quality, kSuper);
  EXPECT_EQ(rule.choose(at_level(26s), doubling_table()).quality, kSuper);
}

}  // namespace
}  // namespace tributary
