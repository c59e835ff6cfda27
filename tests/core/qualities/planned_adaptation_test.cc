#include "core/qualities/adaptations/planned_adaptation.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;
using ::testing::HasSubstr;

TEST(PlannedAdaptation, TakesTheHighestThatTheLinksCarryForGood) {
  EXPECT_EQ(PlannedAdaptation{}.choose(two_ahead(4_Mbps), doubling_table()).quality, kSuper);
  EXPECT_EQ(PlannedAdaptation{}.choose(two_ahead(1.7_Mbps), doubling_table()).quality, kHigh);
  EXPECT_EQ(PlannedAdaptation{}.choose(two_ahead(300_kbps), doubling_table()).quality, kLow);
}

TEST(PlannedAdaptation, IsCarefulAfterPlansThatTookLonger) {
  AdaptationInput input = two_ahead(3_Mbps);
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kSuper);  // 2.1 s of 4
  input.spread = 1;
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kHigh);
}

TEST(PlannedAdaptation, CountsWhatPlaysBeforeTheSegmentOnceItPlays) {
  AdaptationInput input = two_ahead(4_Mbps);
  input.buffered = 0s;
  input.bytes_left = 400_kB;  // the segment before
  input.under_way = 2s;
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kSuper);
  input.time_left_playout = 0s;  // nothing plays: the sooner it begins, the better
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kLow);
}

TEST(PlannedAdaptation, WeighsTheStartUpByTheMeasure) {
  AdaptationInput input = two_ahead(2_Mbps);
  input.time_left_playout = input.buffered = 0s;
  input.segments_to_begin = 2;
  const auto choice = [&](const char* measure) {
    return PlannedAdaptation{{}, Experience::read(measure)}.choose(input, doubling_table()).quality;
  };
  EXPECT_EQ(choice("mao2017-lin"), kSuper) << "only its picture counts";
  EXPECT_EQ(choice("yin2015"), kLow) << "a second of start-up costs as much as one of standstill";
  input.next_publication = 2s;
  EXPECT_EQ(choice("mao2017-lin"), kLow) << "live, segments are due as they are published";
}

TEST(PlannedAdaptation, AsksForTheHighestFirstAndForTheLowestWithoutAMeasurement) {
  AdaptationInput input;
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kLow);
  input.first = true;
  EXPECT_EQ(PlannedAdaptation{}.choose(input, doubling_table()).quality, kSuper);
}

TEST(PlannedAdaptation, ChangesLaterRatherThanNowAndBack) {
  // Of the last two segments one can be super, and the one before was.
  const auto last_but_one = [](const Rules& rules) {
    PlannedAdaptation rule{rules};
    AdaptationInput input;
    input.first = true;
    EXPECT_EQ(rule.choose(input, doubling_table()).quality, kSuper);
    input = two_ahead(1.8_Mbps);
    input.segment = SegmentIndex{8};
    return rule.choose(input, doubling_table()).quality;
  };
  EXPECT_EQ(last_but_one({}), kSuper);
  EXPECT_EQ(last_but_one(Rules::without("switch-bound")), kHigh);
}

TEST(PlannedAdaptation, SaysWhy) {
  EXPECT_EQ(PlannedAdaptation{}.choose(two_ahead(4_Mbps), doubling_table()).reason,
            "super is best for 7 segments at 4000 kbit/s, due in 4.000 s; up to super is safe 0 % slower");
}

/// Segment 3 in the highest quality, 3.2 s at 2 Mbit/s for all of it, and 400 ms at that rate for the lowest.
SegmentOnItsWay on_its_way_at_2_mbps(Duration complete, Duration due) {
  return {SegmentIndex{3}, kSuper, 2_Mbps * complete, {100_kB, 200_kB, 400_kB}, 2_Mbps, due};
}

TEST(PlannedAdaptation, LeavesWhatComesInTimeAsItIs) {
  EXPECT_FALSE(PlannedAdaptation{}.lowered(on_its_way_at_2_mbps(1s, 2s), doubling_table()));
  EXPECT_FALSE(
      PlannedAdaptation{}.lowered(on_its_way_at_2_mbps(0s, -1s), doubling_table()));  // nor what is here, though late
}

TEST(PlannedAdaptation, LowersWhatComesTooLateToTheHighestThatDoesNot) {
  const auto lowered = PlannedAdaptation{}.lowered(on_its_way_at_2_mbps(2500ms, 2s), doubling_table());
  ASSERT_TRUE(lowered);
  EXPECT_EQ(lowered->quality, kHigh);
  EXPECT_EQ(lowered->reason, "super would stop playout for 0.560 s at 2000 kbit/s; high for 0.000 s");
  EXPECT_EQ(PlannedAdaptation{}.lowered(on_its_way_at_2_mbps(2500ms, 1500ms), doubling_table())->quality, kMedium);
}

TEST(PlannedAdaptation, DoesNotLowerWhatIsNearlyHere) {
  EXPECT_FALSE(PlannedAdaptation{}.lowered(on_its_way_at_2_mbps(300ms, 0s), doubling_table()));
}

TEST(PlannedAdaptation, LowersWhatMakesThoseAfterItLate) {
  // 1.9 s until it is here, in time; what follows takes 0.8 s of 2 at 1 Mbit/s, and has them. At 200 kbit/s it takes 4.
  SegmentOnItsWay way = on_its_way_at_2_mbps(1900ms, 2s);
  way.throughput = 1_Mbps;
  way.to_come = way.throughput * 1900ms;
  EXPECT_FALSE(PlannedAdaptation{}.lowered(way, doubling_table()));
  way.throughput = 200_kbps;
  way.to_come = way.throughput * 1900ms;
  way.anew = {10_kB, 20_kB, 40_kB};
  EXPECT_TRUE(PlannedAdaptation{}.lowered(way, doubling_table()));
}

TEST(PlannedAdaptation, DoesNotLowerForARateThatWillHaveReturned) {
  // 600 kB to come in 14 s, at 200 kbit/s: it would be 10 s late. But the links brought 4 Mbit/s before.
  SegmentOnItsWay way = on_its_way_at_2_mbps(2400ms, 14s);
  way.throughput = 200_kbps;
  EXPECT_TRUE(PlannedAdaptation{}.lowered(way, doubling_table()));
  PlannedAdaptation rule;
  for (int i = 0; i < 3; ++i) rule.choose(two_ahead(4_Mbps), doubling_table());
  EXPECT_FALSE(rule.lowered(way, doubling_table()));
  way.due = 2s;  // it will not have returned by then
  EXPECT_TRUE(rule.lowered(way, doubling_table()));
}

TEST(PlannedAdaptation, KeepsAMarginForAMeasureThatWantsOne) {
  AdaptationInput input = two_ahead(2.4_Mbps);
  input.spread = 0.5;
  PlannedAdaptation waits{{}, Experience::read("yin2015-patient")}, begins{{}, Experience::read("yin2015")};
  EXPECT_THAT(waits.choose(input, doubling_table()).reason, HasSubstr("up to high is safe 88 % slower"));
  EXPECT_THAT(begins.choose(input, doubling_table()).reason, HasSubstr("up to super is safe 0 % slower"));
}

}  // namespace
}  // namespace tributary
