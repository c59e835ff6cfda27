#include "core/qualities/adaptations/bola_adaptation.hh"

#include <gtest/gtest.h>

#include <cmath>

#include "core/qualities/rule_inputs.hh"

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

/// Of a title of 100 segments of two seconds, with a capacity of 26 s: what a level of `level` leads to at each segment.
QualityIndex of_100(BolaAdaptation::Title title, std::size_t segment, Duration level) {
  static const SegmentTable kTable = constant_table(100, {100_kB, 200_kB, 400_kB, 800_kB});
  BolaAdaptation rule{title};
  rule.measured(carried(100_Mbps, 1s));
  AdaptationInput input = at_level(level);
  input.segment = static_cast<SegmentIndex>(segment);
  return rule.choose(input, kTable).quality;
}

TEST(BolaAdaptation, OfAFiniteTitleLittleNeedsToBeBufferedNearItsEnds) {
  using enum BolaAdaptation::Title;
  // Three segments are 6 s, one of them is on its way: V (u_max + 5) are 4 s.
  for (const std::size_t segment : {1, 6, 94, 99}) {
    EXPECT_EQ(of_100(kFinite, segment, 4s), kSuper) << segment;
    EXPECT_EQ(of_100(kEndless, segment, 4s), kLow) << segment;
  }
  // Half of the 20 segments that are left are 20 s, and the room for them 18 s.
  EXPECT_EQ(of_100(kFinite, 80, 18s), kSuper);
  EXPECT_NE(of_100(kFinite, 81, 17s), of_100(kEndless, 81, 17s));
  EXPECT_EQ(of_100(kFinite, 50, 18s), of_100(kEndless, 50, 18s));
}

TEST(BolaAdaptation, OfAFiniteTitleGivesUpASegmentOfWhichTheRestScoresLessThanALowerOne) {
  static const SegmentTable kTable = constant_table(100, {100_kB, 200_kB, 400_kB, 800_kB});
  const auto gives_up = [](BolaAdaptation::Title title, DataSize received, Duration level) {
    BolaAdaptation rule{title};
    rule.measured(carried(100_Mbps, 1s));
    AdaptationInput input = at_level(24s);
    input.segment = SegmentIndex{50};
    rule.choose(input, kTable);
    return rule.abandons(on_its_way(received, 1s, level), kTable);
  };
  using enum BolaAdaptation::Title;
  // With 10 s buffered low scores 6.95 for its 100 kB, as super does for 201 kB (V (u + 5) are 16.95 and 24 s).
  EXPECT_TRUE(gives_up(kFinite, 598_kB, 10s));
  EXPECT_FALSE(gives_up(kFinite, 600_kB, 10s));
  EXPECT_FALSE(gives_up(kEndless, 598_kB, 10s));
  EXPECT_FALSE(gives_up(kFinite, 100_kB, 20s));  // high scores 1.65 for 400 kB, super 4 for 700
  EXPECT_FALSE(gives_up(kFinite, 100_kB, 25s));  // all are below 0
  EXPECT_FALSE(gives_up(kFinite, 0_kB, 1s));
}

}  // namespace
}  // namespace tributary
