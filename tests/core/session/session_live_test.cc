#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::live_options;
using testing::segment;
using testing::SessionDriver;

TEST(LiveBuffered, RequestsWaitForPublication) {
  SessionDriver d{constant_table(10, {100_kB}), live_options(StreamingMode::kLiveBuffered, 2)};
  d.link_up(0, "wifi");
  EXPECT_TRUE(d.all<action::SendRequest>().empty());
  d.happens(event::SegmentPublished{segment(0)});
  EXPECT_EQ(d.all<action::SendRequest>().size(), 1U);
  d.answer_all();
  EXPECT_EQ(d.all<action::SendRequest>().size(), 1U);  // room for another, which does not exist yet
  d.wait(2s);
  d.happens(event::SegmentPublished{segment(1)});
  EXPECT_EQ(d.all<action::SendRequest>().size(), 2U);
}

TEST(LiveBuffered, MissesAccumulateLagAndNothingIsSkipped) {
  SessionDriver d{constant_table(10, {100_kB}), live_options(StreamingMode::kLiveBuffered, 1)};
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(0)});
  d.wait(500ms);
  d.answer_all();  // plays at 0.5 s: 0.5 s behind
  for (int i = 1; i < 4; ++i) {
    d.wait(TimePoint{i * 2s} - d.now());
    d.happens(event::SegmentPublished{segment(i)});
    d.wait(1500ms);  // takes 1.5 s; the first time 1 s more than there was
    d.answer_all();
  }
  const auto played = d.all<action::PlaySegment>();
  ASSERT_EQ(played.size(), 4U);
  EXPECT_EQ(played[1].miss, 1s);
  EXPECT_EQ(played[2].miss, 0s);
  EXPECT_EQ(played[3].at, TimePoint{7500ms});  // published at 6 s: 1.5 s behind from now on
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
}

TEST(LiveUnbuffered, SkipsToTheNewestWhenMoreThanASegmentBehind) {
  SessionDriver d{constant_table(10, {100_kB}), live_options(StreamingMode::kLiveUnbuffered, 1)};
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(0)});
  for (int i = 1; i < 3; ++i) {
    d.wait(2s);
    d.happens(event::SegmentPublished{segment(i)});
  }
  d.wait(1s);
  d.answer(RequestId{1});  // segment 0 took 5 s and plays now, 5 s behind
  const auto skipped = d.all<action::SkipSegment>();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].segment, segment(1));
  EXPECT_EQ(skipped[0].lag, 5s);  // it would play at 7 s, and is out since 2 s
  EXPECT_EQ(d.all<action::StartSegment>().back().segment, segment(2));
  d.answer(RequestId{2});
  d.wait(2s);
  EXPECT_EQ(d.all<action::PlaySegment>().back().segment, segment(2));
  EXPECT_EQ(d.all<action::PlaySegment>().back().miss, 0s);
}

TEST(LiveUnbuffered, ALagOfLessThanASegmentIsKept) {
  SessionDriver d{constant_table(10, {100_kB}), live_options(StreamingMode::kLiveUnbuffered, 1)};
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{segment(0)});
  d.wait(1900ms);
  d.answer(RequestId{1});
  d.wait(100ms);
  d.happens(event::SegmentPublished{segment(1)});
  d.answer(RequestId{2});
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
}

TEST(LiveUnbuffered, TheLastSegmentsMayBeSkippedAndTheStreamIsStillWhole) {
  SessionDriver d{constant_table(3, {100_kB}), live_options(StreamingMode::kLiveUnbuffered, 1)};
  d.link_up(0, "wifi");
  for (int i = 0; i < 3; ++i) d.happens(event::SegmentPublished{segment(i)});
  d.wait(5s);
  d.answer_all();
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
  EXPECT_EQ(d.all<action::SkipSegment>().size() + d.all<action::DeliverSegment>().size(), 3U);
}

}  // namespace
}  // namespace tributary
