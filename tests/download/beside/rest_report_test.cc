#include "download/beside/rest_report.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

/// A file of 400 kB in four chunks, filled from both ends.
class RestReportTest : public ::testing::Test {
 protected:
  RestReportTest() { session_.from = 400_kB; }

  /// The session has begun the last two chunks, of which the first has come, and the answer has brought `position`.
  std::optional<event::RestArrived> when_at(DataSize position, std::optional<DataSize> meets_at, bool goes_on = true) {
    session_.begun = 2;
    session_.from = 200_kB;
    state_.complete = {{0_B, position}, {300_kB, 400_kB}};
    return report_.next(RestReport::Front{position, goes_on, meets_at}, session_, position, now_ += 1s);
  }

  std::vector<ByteRange> chunks_{{300_kB, 400_kB}, {200_kB, 300_kB}, {100_kB, 200_kB}, {0_kB, 100_kB}};
  DownloadState state_{"http://a/b", 400_kB, "", "", {}};
  RestReport report_{chunks_, state_};
  SessionSeen session_;
  TimePoint now_;
};

TEST_F(RestReportTest, CompleteChunksAreTold) {
  const auto told = when_at(120_kB, std::nullopt);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->segment, SegmentIndex{3});
  EXPECT_FALSE(told->coming) << "nobody knows where they meet";
}

TEST_F(RestReportTest, TheChunkInWhichTheyMeetIsShared) {
  const auto told = when_at(120_kB, 170_kB);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->shared, SegmentIndex{2});
  EXPECT_EQ(told->here, 20_kB);
  EXPECT_EQ(told->until, 70_kB);
  EXPECT_FALSE(told->coming);
}

TEST_F(RestReportTest, AChunkThatTheAnswerNearlyCompletesIsLeftToIt) {
  const auto told = when_at(20_kB, 196_kB);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->coming, SegmentIndex{2});
}

TEST_F(RestReportTest, TheLastSharedChunkIsTheLastOfTheSession) {
  when_at(120_kB, 170_kB);
  session_.begun = 3;
  session_.from = 170_kB;
  session_.begins_no_more = true;
  const auto told = report_.next(RestReport::Front{130_kB, true, 180_kB}, session_, 130_kB, now_ += 1s);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->coming, SegmentIndex{3});
  EXPECT_EQ(told->here, 30_kB);
  EXPECT_EQ(told->until, 70_kB) << "as it was when the session began";
}

TEST_F(RestReportTest, WhatAnEndedAnswerDidNotBringIsTheSessions) {
  when_at(120_kB, 170_kB);
  const auto told = when_at(125_kB, std::nullopt, false);
  ASSERT_TRUE(told);
  EXPECT_EQ(told->here, 25_kB);
  EXPECT_EQ(told->until, 25_kB);
  EXPECT_FALSE(told->coming);
}

TEST_F(RestReportTest, NothingIsToldTwiceNorAllTheTime) {
  when_at(120_kB, 170_kB);
  const RestReport::Front front{120_kB, true, 170_kB};
  EXPECT_FALSE(report_.next(front, session_, 120_kB, now_ + 10s)) << "nothing has come";
  EXPECT_FALSE(report_.next(front, session_, 121_kB, now_ + 10ms));
  EXPECT_TRUE(report_.next(front, session_, 121_kB, now_ + 1s));
}

}  // namespace
}  // namespace tributary
