#include "core/qualities/adaptations/throughput_adaptation.hh"

#include <gtest/gtest.h>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

QualityIndex choice(DataRate rate, Duration level) {
  ThroughputAdaptation rule;
  rule.measured(carried(rate, 1s));
  return rule.choose(at_level(level), doubling_table()).quality;
}

TEST(ThroughputAdaptation, BeginsWithTheLowest) {
  ThroughputAdaptation rule;
  EXPECT_EQ(rule.choose(at_level(20s), doubling_table()).quality, kLow);
}

TEST(ThroughputAdaptation, TakesTheHighestBitrateWithinNineTenths) {
  EXPECT_EQ(choice(900_kbps, 20s), kMedium);  // 810 kbit/s
  EXPECT_EQ(choice(880_kbps, 20s), kLow);     // 792 kbit/s
  EXPECT_EQ(choice(100_Mbps, 20s), kSuper);
  EXPECT_EQ(choice(10_kbps, 20s), kLow);
}

TEST(ThroughputAdaptation, WithLittleBufferedTakesWhatArrivesBeforeThatHasPlayed) {
  // The highest are 6.4 Mbit, which at 0.9 * 4 Mbit/s take 1.78 s; the second 3.2 Mbit, 0.89 s; the third
  // 0.44 s.
  EXPECT_EQ(choice(4_Mbps, 1800ms), kSuper);
  EXPECT_EQ(choice(4_Mbps, 1700ms), kHigh);
  EXPECT_EQ(choice(4_Mbps, 800ms), kMedium);
  EXPECT_EQ(choice(4_Mbps, 400ms), kLow);
}

TEST(ThroughputAdaptation, TrustsTheBufferLessEachTimeDownToAHalf) {
  ThroughputAdaptation rule;
  rule.measured(carried(4_Mbps, 1s));
  double safety = 0.9;
  for (int i = 0; i < 12; ++i) {
    const bool outlasts = safety * 3 * 4 >= 6.4;  // 3 s at 4 Mbit/s, and 6.4 Mbit of the highest quality
    EXPECT_EQ(rule.choose(at_level(3s), doubling_table()).quality, outlasts ? kSuper : kHigh) << i;
    safety = std::max(0.9 * safety, 0.5);
  }
  EXPECT_EQ(rule.choose(at_level(3200ms), doubling_table()).quality, kSuper);  // 0.5 * 3.2 * 4 = 6.4
}

TEST(ThroughputAdaptation, GivesUpASegmentThatWouldTakeTooLongIfALowerOneIsLessThanItsRest) {
  const auto gives_up = [](DataSize received, Duration elapsed) {
    return ThroughputAdaptation{}.abandons(on_its_way(received, elapsed, 4s), doubling_table());
  };
  EXPECT_TRUE(gives_up(125_kB, 1100ms));   // 1 Mbit/s: 6.5 s in all; medium has 200 kB of 675
  EXPECT_FALSE(gives_up(250_kB, 1100ms));  // 2 Mbit/s: 3.3 of 3.6 s
  EXPECT_TRUE(gives_up(225_kB, 1100ms));   // 1.8 Mbit/s: 3.66 s; high has 400 kB of 575
  EXPECT_FALSE(gives_up(610_kB, 5100ms));  // 0.98 Mbit/s; medium has more than the 190 kB of its rest
  EXPECT_TRUE(gives_up(50_kB, 500ms));
  EXPECT_FALSE(gives_up(49_kB, 490ms));  // too early to tell
  EXPECT_FALSE(gives_up(0_kB, 1100ms));
}

TEST(ThroughputAdaptation, NeverGivesUpTheLowest) {
  SegmentProgress progress = on_its_way(1_kB, 4s, 4s);
  progress.quality = kLow;
  progress.size = 100_kB;
  EXPECT_FALSE(ThroughputAdaptation{}.abandons(progress, doubling_table()));
}

}  // namespace
}  // namespace tributary
