#include "worlds/simulated_world.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/simulated_run.hh"
#include "support/tables.hh"
#include "trace/replay.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using testing::SimulatedRun;

// 750 kB in two seconds are 3 Mbit/s.
SegmentTable ladder(std::size_t segments) {
  return testing::constant_table(segments, {187500_B, 325_kB, 537500_B, 750_kB});
}

SessionOptions options(SubsegmentApproach approach, std::uint32_t buffer = 6) {
  SessionOptions o;
  o.subsegments = approach;
  o.buffer_segments = buffer;
  return o;
}

constexpr auto kStatic = SubsegmentApproach::kStatic;
constexpr auto kDynamic = SubsegmentApproach::kDynamic;
constexpr auto kBalanced = SubsegmentApproach::kBalanced;
constexpr double kContentOfAFrame = 1448.0 / 1514.0;

TEST(SimulatedWorld, TwoLinksCarryWhatTheyCanTogether) {
  for (const auto approach : {kStatic, kDynamic, kBalanced}) {
    SessionOptions o = options(approach);
    o.adaptation = "fixed:super";  // more than the links can carry: they are never idle
    if (approach == kStatic) o.duplicates_percent = 0;
    const SimulatedRun run{ladder(50), o, "wifi 1.5Mbps 10ms; lte 1Mbps 10ms"};
    EXPECT_TRUE(run.record.complete());
    const double of_sum = run.summary.throughput_kbit_s / (2500 * kContentOfAFrame);
    EXPECT_GT(of_sum, 0.97);
    EXPECT_LE(of_sum, 1.001);
    EXPECT_NEAR(run.share_of_bytes(0), 0.6, 0.02);
  }
}

/// Of what the links carry, with everything in one quality and all of it wanted at once.
double goodput(SubsegmentApproach approach, std::uint32_t megabits, const std::string& links) {
  SessionOptions o = options(approach, 20);
  o.adaptation = "fixed:low";
  const DataSize half_a_second{megabits * 1'000'000 / 16};
  const SimulatedRun run{testing::constant_table(20, {half_a_second}), o, links};
  return run.summary.throughput_kbit_s / (megabits * 1000 * kContentOfAFrame);
}

TEST(SimulatedWorld, BalancedRangesFillLinksOfAnyRateAndRoundTrip) {
  for (const auto& [megabits, links] :
       std::vector<std::pair<std::uint32_t, std::string>>{{20, "a 10Mbps 10ms; b 10Mbps 100ms"},
                                                          {20, "a 16Mbps 10ms; b 4Mbps 40ms"},
                                                          {22, "a 20Mbps 40ms; b 2Mbps 10ms"},
                                                          {7, "a 4Mbps 10ms; b 2Mbps 40ms; c 1Mbps 100ms"},
                                                          {100, "a 50Mbps 10ms; b 50Mbps 10ms"}}) {
    EXPECT_GT(goodput(kBalanced, megabits, links), 0.95) << links;
  }
}

TEST(SimulatedWorld, BalancedRangesAreNotHeldUpByTheDistanceOfTheServer) {
  // Two requests of 100 kB on the way are a fraction of what these links carry in a round trip.
  const std::string far = "a 50Mbps 100ms; b 50Mbps 100ms";
  EXPECT_GT(goodput(kBalanced, 100, far), 2 * goodput(kDynamic, 100, far));
}

TEST(SimulatedWorld, WithBalancedRangesASlowLinkMakesNothingWorse) {
  for (const char* slow : {"100kbps 400ms", "500kbps 200ms, loss 2%", "3Mbps 30ms, at 20s 50kbps, at 60s 3Mbps"}) {
    const SimulatedRun alone{ladder(60), options(kBalanced, 2), "a 2.5Mbps 20ms"};
    const SimulatedRun both{ladder(60), options(kBalanced, 2), std::string{"a 2.5Mbps 20ms; b "} + slow};
    EXPECT_LE(both.summary.misses, alone.summary.misses) << slow;
    EXPECT_GE(both.summary.mean_level, 0.98 * alone.summary.mean_level) << slow;
  }
}

TEST(SimulatedWorld, AStreamThatFitsIsPlayedWithoutAMiss) {
  const SimulatedRun run{ladder(60), options(kDynamic), "a 2.5Mbps 10ms; b 1.5Mbps 40ms"};
  EXPECT_EQ(run.summary.misses, 0U);
  EXPECT_GT(run.summary.shares[3], 0.9);
}

TEST(SimulatedWorld, ASlowLinkAloneTakesTheQualityThatItCanCarry) {
  const SimulatedRun run{ladder(60), options(kDynamic), "a 1.5Mbps 10ms"};
  // It has the start-up and the playing time (60 segments of 2 s) to carry everything.
  const double possible = 1500 * kContentOfAFrame * (to_seconds(*run.summary.startup) + 120) / 120;
  EXPECT_GT(run.summary.mean_bitrate_kbit_s, 0.85 * possible);
  EXPECT_LE(run.summary.mean_bitrate_kbit_s, possible);
}

TEST(SimulatedWorld, ALinkThatDiesAndReturnsIsCoveredByTheOther) {
  const SimulatedRun run{ladder(60), options(kDynamic), "a 4Mbps 10ms; b 4Mbps 10ms, down 20s..40s"};
  EXPECT_TRUE(run.record.complete());
  EXPECT_EQ(run.summary.misses, 0U);
  EXPECT_EQ(run.summary.wasted, 0_B);
  const auto& requests = run.record.requests();
  const auto used_again = std::any_of(requests.begin(), requests.end(), [](const RequestRecord& r) {
    return r.link == LinkId{1} && r.sent >= TimePoint{40s} && r.status == "done";
  });
  EXPECT_TRUE(used_again);
}

TEST(SimulatedWorld, ASilentLinkIsGivenUpAndItsBytesComeOverTheOther) {
  const SimulatedRun run{ladder(40), options(kDynamic), "a 4Mbps 10ms; b 4Mbps 10ms, at 10s 0Mbps, at 50s 4Mbps"};
  EXPECT_TRUE(run.record.complete());
  EXPECT_EQ(run.summary.misses, 0U);  // six segments of buffer outlast the two seconds until it is noticed
  EXPECT_GT(run.record.links().at(LinkId{1}).failures, 0U);
}

TEST(SimulatedWorld, ALinkThatJoinsIsUsed) {
  const SimulatedRun run{ladder(60), options(kDynamic), "a 1.5Mbps 10ms; b 3Mbps 10ms, joins 30s"};
  EXPECT_GT(run.share_of_bytes(1), 0.4);
  EXPECT_EQ(run.record.links().size(), 2U);
}

TEST(SimulatedWorld, StaticSubsegmentsNeedABufferForUnequalLinksAndDynamicOnesDoNot) {
  // Thesis sections 4.4.1 and 4.5.1: 80:20 with two segments of buffer.
  const char* links = "a 2.4Mbps 0.1ms; b 0.6Mbps 0.1ms";
  const SimulatedRun fixed{ladder(100), options(kStatic, 2), links};
  const SimulatedRun dynamic{ladder(100), options(kDynamic, 2), links};
  EXPECT_GT(dynamic.summary.mean_level, fixed.summary.mean_level);
}

TEST(SimulatedWorld, AMissIsBlamedOnTheLinkThatWentDown) {
  const SimulatedRun run{ladder(30), options(kDynamic, 1), "a 0.5Mbps 10ms; b 3Mbps 10ms, down 21.5s..41s"};
  ASSERT_GT(run.summary.misses, 0U);
  ASSERT_EQ(run.summary.explained.size(), run.summary.misses);
  EXPECT_THAT(run.summary.explained.front().text, HasSubstr("; b was down from 21.500 s to 41.000 s; "));
}

TEST(SimulatedWorld, AMissIsBlamedOnTheLinkThatFellSilent) {
  SessionOptions o = options(kDynamic, 1);
  o.without = "rescue,take-over";
  const SimulatedRun run{ladder(10), o, "a 3Mbps 10ms; b 2Mbps 40ms, at 10s 0Mbps"};
  ASSERT_GT(run.summary.misses, 0U);
  const MissExplanation& first = run.summary.explained.front();
  EXPECT_THAT(first.text, ContainsRegex("on b, asked for at .*, failed at .* \\(stalled\\) .* again on a, "));
  EXPECT_EQ(first.avoided_by, "link");  // a alone carries the highest quality
}

TEST(SimulatedWorld, WhatASilentLinkOwesIsTakenOverInTime) {
  const char* links = "a 3Mbps 10ms; b 2Mbps 40ms, at 10s 0Mbps";
  SessionOptions o = options(kDynamic, 2);
  o.without = "rescue,take-over";
  EXPECT_GT((SimulatedRun{ladder(20), o, links}).summary.misses, 0U);
  o.without.clear();
  for (const std::uint32_t duplicates : {0, 5}) {
    o.duplicates_percent = duplicates;
    const SimulatedRun run{ladder(20), o, links};
    EXPECT_EQ(run.summary.misses, 0U);
    EXPECT_LE(run.summary.wasted, scale(run.summary.bytes, 0.05));
  }
}

TEST(SimulatedWorld, TheBufferThatAnExplanationAsksForIsWhatItTakes) {
  // Segment 10 is four times as large as the others, at a rate that takes each of these about 1.3 s.
  std::vector<DataSize> sizes(20, 237500_B);
  sizes[10] = 950_kB;
  const SegmentTable table{testing::presentation_of({{"low", sizes}})};
  const auto run_with = [&](std::uint32_t buffer) {
    return SimulatedRun{table, options(kDynamic, buffer), "a 1.5Mbps 10ms"};
  };
  const SimulatedRun first = run_with(1);
  ASSERT_EQ(first.summary.misses, 1U);
  EXPECT_THAT(first.summary.explained[0].text, HasSubstr("with 2 more segments of buffer"));
  EXPECT_EQ(run_with(2).summary.misses, 1U);
  EXPECT_EQ(run_with(3).summary.misses, 0U);
}

TEST(SimulatedWorld, LiveUnbufferedStaysNearTheEdgeAndLiveBufferedPlaysEverything) {
  SessionOptions o = options(kDynamic, 1);
  o.mode = StreamingMode::kLiveUnbuffered;
  const char* links = "a 2Mbps 10ms, at 30s 0.2Mbps, at 40s 2Mbps";
  const SimulatedRun unbuffered{ladder(60), o, links};
  EXPECT_TRUE(unbuffered.record.complete());
  EXPECT_GT(unbuffered.summary.skipped, 0U);
  EXPECT_EQ(unbuffered.summary.played + unbuffered.summary.skipped, 60U);
  EXPECT_LT(*unbuffered.summary.lag_end, 4s);

  o.mode = StreamingMode::kLiveBuffered;
  const SimulatedRun buffered{ladder(60), o, links};
  EXPECT_EQ(buffered.summary.played, 60U);
  // Nothing is skipped: what was missed stays as lag (qoe: lag = start-up + sum of misses).
  EXPECT_EQ(*buffered.summary.lag_end, *buffered.summary.startup + buffered.summary.miss_total);
}

TEST(SimulatedWorld, IsTheSameEveryTimeAndDiffersBySeed) {
  const char* links = "a 2Mbps 30ms, loss 1%, jitter 5ms; b 1Mbps 60ms, loss 2%";
  const SimulatedRun one{ladder(10), options(kDynamic), links, 5};
  const SimulatedRun two{ladder(10), options(kDynamic), links, 5};
  const SimulatedRun three{ladder(10), options(kDynamic), links, 6};
  EXPECT_EQ(one.trace, two.trace);
  EXPECT_NE(one.trace, three.trace);
}

TEST(SimulatedWorld, WhatWasRecordedCanBeDecidedAgain) {
  for (const auto mode : {StreamingMode::kOnDemand, StreamingMode::kLiveBuffered, StreamingMode::kLiveUnbuffered}) {
    SessionOptions o = options(kDynamic, mode == StreamingMode::kLiveUnbuffered ? 1 : 4);
    o.mode = mode;
    const SimulatedRun run{ladder(20), o, "a 2Mbps 30ms, down 5s..9s; b 1Mbps 60ms, loss 1%"};
    std::istringstream in{run.trace};
    const SessionTrace trace = SessionTrace::read(in);
    Session session = recorded_session(trace);
    EXPECT_EQ(replay(trace, session), std::nullopt);
  }
}

TEST(SimulatedWorld, WithoutAnyLinkTheSessionEnds) {
  const SimulatedRun run{ladder(5), options(kDynamic), "a 1Mbps 10ms, joins 1h"};
  EXPECT_FALSE(run.record.complete());
  EXPECT_EQ(run.record.ended_because(), "no byte came for 60 s: no link could be used");
}

}  // namespace
}  // namespace tributary
