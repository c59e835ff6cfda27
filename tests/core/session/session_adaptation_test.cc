#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;
using testing::static_options;

// 400 to 3200 kbit/s; a segment of the lowest is one request.
SessionDriver driver(const std::string& adaptation) {
  SessionOptions options = static_options(3);
  options.adaptation = adaptation;
  return {constant_table(10, {100_kB, 200_kB, 400_kB, 800_kB}), options};
}

TEST(SessionAdaptation, ARuleIsToldWhatASegmentMeasured) {
  SessionDriver d = driver("throughput");
  d.wait(5s);  // without a link nothing is measured
  d.link_up(0, "wifi");
  d.wait(100ms);
  d.answer(RequestId{1});                         // segment 0
  d.happens(event::ResponseBegan{RequestId{2}});  // of segment 1: the next may be asked for
  const auto started = d.all<action::StartSegment>();
  ASSERT_EQ(started.size(), 3U);
  EXPECT_EQ(started[1].quality, QualityIndex{0});
  EXPECT_EQ(started[1].reason, "no segment measured yet: lowest");
  EXPECT_EQ(started[2].quality, QualityIndex{3});  // 8000 kbit/s, 4 s of media before it
  EXPECT_EQ(started[2].reason, "super fits in 0.9 of 8000 kbit/s");
}

TEST(SessionAdaptation, WhatAllLinksCarriedMeanwhileIsMeasured) {
  SessionDriver d = driver("throughput");
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.wait(1s);
  d.answer(RequestId{3});  // segment 2, on lte
  d.answer(RequestId{2});
  d.answer(RequestId{1});  // segment 0: now all three are complete
  const auto started = d.all<action::StartSegment>();
  ASSERT_GT(started.size(), 3U);
  EXPECT_EQ(started[3].reason, "high fits in 0.9 of 2400 kbit/s");
}

TEST(SessionAdaptation, ARuleIsToldWhatTheBufferHolds) {
  // The 4 s of segments 1 and 2 are a full buffer of three beside the one that plays, before the fourth is
  // asked for.
  SessionDriver d = driver("bba");
  d.link_up(0, "wifi");
  d.wait(1s);
  d.answer_all();
  const auto started = d.all<action::StartSegment>();
  ASSERT_EQ(started.size(), 4U);
  EXPECT_EQ(started[3].quality, QualityIndex{3});
  EXPECT_EQ(started[3].reason, "6.000 s are above reservoir and cushion, 5.400 s: highest");
}

TEST(SessionAdaptation, MediaUnderWayCountsForWhatWillBeLeftOfItsTime) {
  AdaptationInput input;
  input.time_left_playout = 1s;
  input.buffered = 2s;
  input.under_way = 4s;
  input.bytes_left = 250_kB;
  EXPECT_EQ(level_at_transfer(input), 7s);  // nothing known of the links
  input.throughput = 1_Mbps;
  EXPECT_EQ(level_at_transfer(input), 5s);  // 2 s until it is there
  input.throughput = 400_kbps;
  EXPECT_EQ(level_at_transfer(input), 4s);  // 5 s: playout stands still for 2 of them
  input.time_left_playout = 0s;             // and before playout has begun nothing is used up
  EXPECT_EQ(level_at_transfer(input), 6s);
}

}  // namespace
}  // namespace tributary
