#include "core/playout/latency_control.hh"

#include <gtest/gtest.h>

#include "presentation/segments/partial_segments.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::live_options;
using testing::segment;
using testing::SessionDriver;

constexpr LiveSituation kAtTarget{.latency = 2s, .target = 2s, .ahead = 1400ms, .segment = 500ms};

double speed(Duration latency, Duration ahead, double before = 1) {
  LiveSituation now = kAtTarget;
  now.latency = latency;
  now.ahead = ahead;
  return LatencyControl::speed(now, before);
}

TEST(LatencyControl, PlaysFasterBehindTheTargetAndSlowerBefore) {
  EXPECT_EQ(LatencyControl::speed(kAtTarget, 1), 1);
  EXPECT_DOUBLE_EQ(speed(2500ms, 1800ms), 1.05);
  EXPECT_DOUBLE_EQ(speed(2200ms, 1800ms), 1.02);
  EXPECT_DOUBLE_EQ(speed(1500ms, 1800ms), 0.95);
}

TEST(LatencyControl, FarBehindItIsAsFastAsWhatIsHereAllows) {
  EXPECT_DOUBLE_EQ(speed(2800ms, 2250ms), 1.08) << ".05 for each half second";
  EXPECT_DOUBLE_EQ(speed(9s, 2250ms), 1.1);
  EXPECT_DOUBLE_EQ(speed(9s, 1800ms), 1.07) << "2.4 times the .75 s below which it is slower";
  EXPECT_DOUBLE_EQ(speed(0s, 2250ms), 0.95);
}

TEST(LatencyControl, ABufferThatRunsLowSlowsIt) {
  EXPECT_DOUBLE_EQ(speed(2s, 0ms), 0.95);
  EXPECT_DOUBLE_EQ(speed(9s, 300ms), 0.97) << "who hurries now stands still soon";
  EXPECT_DOUBLE_EQ(speed(9s, 750ms), 1);
}

TEST(LatencyControl, ASpeedThatIsNearlyRightStays) {
  EXPECT_DOUBLE_EQ(speed(2200ms, 1800ms, 1.03), 1.03);
  EXPECT_DOUBLE_EQ(speed(2090ms, 1800ms, 1), 1) << "it is near enough";
  EXPECT_DOUBLE_EQ(speed(2050ms, 1800ms, 1.01), 1.01) << "it goes on until the target is reached";
  EXPECT_EQ(speed(2010ms, 1400ms, 1.01), 1);
}

/// Segments of two seconds in parts of half a second, as they are published.
SessionDriver live_in_parts(std::size_t segments) {
  SessionOptions options = live_options(StreamingMode::kLiveBuffered, 4);
  options.latency = 2s;
  options.startup_segments = 1;
  options.start = StartRule::kFast;
  const Presentation whole = testing::constant_table(segments, {100_kB, 200_kB}).presentation();
  return {SegmentTable{in_partial_segments(whole, 500ms)}, options};
}

TEST(LatencyControl, ASessionComesToItsTarget) {
  SessionDriver d = live_in_parts(60);
  d.link_up(0, "wifi");
  for (int i = 0; i < 2; ++i) d.happens(event::SegmentPublished{segment(i), Duration{(1 - i) * 500ms}});
  d.answer_all();  // it plays, 1 s behind the edge
  for (int i = 2; i < 100; ++i) {
    d.wait(500ms);
    d.happens(event::SegmentPublished{segment(i)});
    d.answer_all();
  }
  const auto played = d.all<action::PlaySegment>();
  const auto last = played.back();
  const TimePoint captured{(static_cast<int>(to_index(last.segment)) - 2) * 500ms};
  EXPECT_NEAR(to_seconds(last.at - captured), 2, 0.15);
  EXPECT_TRUE(d.all<action::Stall>().empty());
  const auto speeds = d.all<action::SetSpeed>();
  ASSERT_FALSE(speeds.empty());
  EXPECT_LT(speeds.front().speed, 1);
  EXPECT_LE(speeds.size(), 12U) << "it does not waver";
}

TEST(LatencyControl, WhatContinuesASegmentHasItsQuality) {
  SessionDriver d = live_in_parts(10);
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(1)});
  d.happens(event::QualityChosen{QualityIndex{1}});
  for (int i = 2; i < 8; ++i) d.happens(event::SegmentPublished{segment(i)});
  d.answer_all();
  d.wait(2s);
  d.answer_all();
  const auto started = d.all<action::StartSegment>();
  ASSERT_GE(started.size(), 5U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(started[i].quality, QualityIndex{0}) << i;
  EXPECT_EQ(started[4].quality, QualityIndex{1}) << "the choice holds from the next switch point on";
}

/// A manifest may list a part sooner than a server has it.
TEST(LatencyControl, APartThatIsNotThereYetIsAskedForAgainInItsQuality) {
  SessionDriver d = live_in_parts(10);
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(0)});
  d.answer_all();
  d.happens(event::SegmentPublished{segment(1)});
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(d.unanswered().empty()) << i;
    const auto asked = d.unanswered();
    for (const RequestId request : asked) d.fail(request, FailureReason::kNotFound);
    d.wait(100ms);
  }
  d.answer_all();
  const auto delivered = d.all<action::DeliverSegment>();
  ASSERT_EQ(delivered.size(), 2U);
  EXPECT_EQ(delivered[1].segment, segment(1));
}

}  // namespace
}  // namespace tributary
