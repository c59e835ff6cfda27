#include "gst/source/feed_news.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Pair;

/// Of two seconds each.
StreamInfo three_segments() {
  StreamInfo info;
  info.presentation = testing::presentation_of({{"low", {1_kB, 1_kB, 1_kB}}});
  return info;
}

/// Keeps what it is told, and how many messages were noted by then.
struct Outside : StreamListener {
  explicit Outside(const int& its_noted) : noted{its_noted} {}
  void opened(const StreamInfo&) override { note("opened"); }
  void segment(MediaSegment) override { note("segment"); }
  void skipped(const SkippedSegment&) override { note("skipped"); }
  void may_play(std::uint32_t) override { note("may play"); }
  void ended(std::uint32_t) override { note("ended"); }
  void failed(const StreamFailure&) override { note("failed"); }
  void note(const char* what) { told.emplace_back(what, noted); }

  const int& noted;
  std::vector<std::pair<std::string, int>> told;
};

class FeedNewsTest : public ::testing::Test {
 protected:
  int noted_ = 0;
  FeedNews news_{[this] {
    ++noted_;
    news_.now(0);  // the lock is free
  }};
  StreamListener& feed_ = news_;
};

TEST_F(FeedNewsTest, SegmentsAreTakenInTheirOrder) {
  MediaSegment segment;
  for (const std::uint32_t number : {4U, 5U}) {
    segment.index = SegmentIndex{number};
    feed_.segment(segment);
  }
  EXPECT_EQ(news_.take_segment().index, SegmentIndex{4});
  EXPECT_EQ(news_.take_segment().index, SegmentIndex{5});
  EXPECT_FALSE(news_.now(0).segment);
  EXPECT_EQ(noted_, 2);
}

TEST_F(FeedNewsTest, WhatIsSaidOfAGenerationHoldsForNoOther) {
  feed_.may_play(1);
  EXPECT_TRUE(news_.now(1).playable);
  EXPECT_FALSE(news_.now(2).playable);
  news_.withdraw_permission();
  EXPECT_FALSE(news_.now(1).playable);
  feed_.ended(2);
  EXPECT_TRUE(news_.now(2).ended);
  EXPECT_FALSE(news_.now(1).ended);
}

TEST_F(FeedNewsTest, ASteeredSpeedHoldsUntilTheNextTitle) {
  const auto speed = [&] {
    feed_.segment({});
    return news_.take_segment().speed;
  };
  EXPECT_EQ(speed(), 1);
  feed_.steered(1.03);
  EXPECT_EQ(speed(), 1.03);
  news_.restart(nullptr);
  EXPECT_EQ(speed(), 1);
}

TEST_F(FeedNewsTest, AFailureIsTakenOnce) {
  feed_.failed({StreamFailure::Kind::kNoLink, "no link", ""});
  ASSERT_TRUE(news_.now(0).failed);
  EXPECT_EQ(news_.take_failure().what.english(), "no link");
  EXPECT_FALSE(news_.now(0).failed);
}

TEST_F(FeedNewsTest, SegmentsBeginWhereTheIndexSays) {
  EXPECT_EQ(news_.available(), std::nullopt);
  EXPECT_EQ(news_.segment_start(3s), 3s);
  feed_.opened(three_segments());
  EXPECT_EQ(news_.available(), 6s);
  EXPECT_EQ(news_.segment_start(3s), 2s);
  EXPECT_EQ(news_.segment_start(4s), 4s);
  EXPECT_EQ(news_.segment_start(7s), 7s) << "of no known segment";
}

TEST_F(FeedNewsTest, TheListenerOutsideIsToldFirstAndGetsNoSegments) {
  Outside outside{noted_};
  news_.restart(&outside);
  feed_.opened(three_segments());
  feed_.segment({});
  feed_.skipped({SegmentIndex{1}, 2s, "late"});
  feed_.may_play(0);
  feed_.ended(0);
  feed_.failed({});
  EXPECT_THAT(outside.told, ElementsAre(Pair("opened", 0), Pair("skipped", 2), Pair("may play", 2), Pair("ended", 3),
                                        Pair("failed", 4)));
}

TEST_F(FeedNewsTest, ARestartForgetsEverything) {
  feed_.opened(three_segments());
  feed_.segment({});
  feed_.may_play(0);
  feed_.ended(0);
  feed_.failed({});
  news_.restart(nullptr);
  const FeedNews::Now now = news_.now(0);
  EXPECT_FALSE(news_.info() || news_.available() || now.opened || now.segment || now.playable || now.ended ||
               now.failed);
}

}  // namespace
}  // namespace tributary
