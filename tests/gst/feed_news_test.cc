#include "gst/source/feed_news.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;

/// Of two seconds each.
StreamInfo three_segments() {
  StreamInfo info;
  info.presentation = testing::presentation_of({{"low", {1_kB, 1_kB, 1_kB}}});
  return info;
}

/// Keeps what it is told, and whether the lock was free then.
struct Outside : StreamListener {
  explicit Outside(std::mutex& its_lock) : lock{its_lock} {}
  void opened(const StreamInfo&) override { note("opened"); }
  void segment(MediaSegment) override { note("segment"); }
  void skipped(const SkippedSegment&) override { note("skipped"); }
  void may_play(std::uint32_t) override { note("may play"); }
  void ended(std::uint32_t) override { note("ended"); }
  void failed(const StreamFailure&) override { note("failed"); }
  void note(const char* what) {
    const std::unique_lock free{lock, std::try_to_lock};
    told.emplace_back(free ? what : "with the lock held");
  }

  std::mutex& lock;
  std::vector<std::string> told;
};

class FeedNewsTest : public ::testing::Test {
 protected:
  std::mutex lock_;
  std::condition_variable noted_;
  FeedNews news_{lock_, noted_};
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
  EXPECT_FALSE(news_.has_segment());
}

TEST_F(FeedNewsTest, WhatIsSaidOfAGenerationHoldsForNoOther) {
  feed_.may_play(1);
  EXPECT_TRUE(news_.is_playable(1));
  EXPECT_FALSE(news_.is_playable(2));
  news_.withdraw_permission();
  EXPECT_FALSE(news_.is_playable(1));
  feed_.ended(2);
  EXPECT_TRUE(news_.has_ended(2));
  EXPECT_FALSE(news_.has_ended(1));
}

TEST_F(FeedNewsTest, AFailureIsTakenOnce) {
  feed_.failed({StreamFailure::Kind::kNoLink, "no link", ""});
  ASSERT_TRUE(news_.has_failed());
  EXPECT_EQ(news_.take_failure().what.english(), "no link");
  EXPECT_FALSE(news_.has_failed());
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

TEST_F(FeedNewsTest, TheListenerOutsideIsToldWithoutTheLockAndGetsNoSegments) {
  Outside outside{lock_};
  news_.restart(&outside);
  feed_.opened(three_segments());
  feed_.segment({});
  feed_.skipped({SegmentIndex{1}, 2s, "late"});
  feed_.may_play(0);
  feed_.ended(0);
  feed_.failed({});
  EXPECT_THAT(outside.told, ElementsAre("opened", "skipped", "may play", "ended", "failed"));
}

TEST_F(FeedNewsTest, ARestartForgetsEverything) {
  feed_.opened(three_segments());
  feed_.segment({});
  feed_.may_play(0);
  feed_.ended(0);
  feed_.failed({});
  news_.restart(nullptr);
  EXPECT_FALSE(news_.info() || news_.available() || news_.has_segment() || news_.is_playable(0) || news_.has_ended(0) ||
               news_.has_failed());
}

}  // namespace
}  // namespace tributary
