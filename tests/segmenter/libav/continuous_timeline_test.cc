#include "segmenter/libav/continuous_timeline.hh"

#include <gtest/gtest.h>

namespace tributary::segmenter {
namespace {

constexpr std::int64_t kSecond = 1000000, kFrameTime = 40000;
constexpr int kPicture = 0, kSound = 1;

/// Gives each stream a second of packets from a time on; where the first and the last of them come to lie.
struct Passed {
  std::int64_t first, last;
};
Passed pass(ContinuousTimeline& timeline, int stream, std::int64_t begin) {
  Passed stretch{begin + timeline.shift(stream, begin, kFrameTime), 0};
  for (std::int64_t time = begin + kFrameTime; time < begin + kSecond; time += kFrameTime)
    stretch.last = time + timeline.shift(stream, time, kFrameTime);
  return stretch;
}

TEST(ContinuousTimeline, LeavesWhatIsContinuousAndHolesAsTheyAre) {
  ContinuousTimeline timeline{10 * kSecond, 5 * kSecond};
  for (const std::int64_t begin : {5 * kSecond, 6 * kSecond, 9 * kSecond, 19 * kSecond}) {
    EXPECT_EQ(pass(timeline, kPicture, begin).first, begin);
    EXPECT_EQ(pass(timeline, kSound, begin).first, begin);
  }
}

TEST(ContinuousTimeline, ASoundThatBeginsEarlyOrLateKeepsItsPlace) {
  for (const std::int64_t begin : {2 * kSecond, 9 * kSecond}) {
    ContinuousTimeline timeline{10 * kSecond, 5 * kSecond};
    EXPECT_EQ(pass(timeline, kPicture, 5 * kSecond).first, 5 * kSecond);
    EXPECT_EQ(pass(timeline, kSound, begin).first, begin);
  }
}

class ContinuousTimelineJump : public ::testing::TestWithParam<std::int64_t> {};

TEST_P(ContinuousTimelineJump, IsTakenOutOfAllStreamsTogether) {
  const std::int64_t jump = GetParam();
  ContinuousTimeline timeline{10 * kSecond, 0};
  pass(timeline, kPicture, 0);
  pass(timeline, kPicture, kSecond);
  pass(timeline, kSound, 0);
  // The sound comes later in the file: the rest of what was before the jump follows pictures that are after it.
  EXPECT_EQ(pass(timeline, kPicture, jump).first, 2 * kSecond);
  EXPECT_EQ(pass(timeline, kSound, kSecond).first, kSecond);
  EXPECT_EQ(pass(timeline, kSound, jump + kFrameTime / 2).first, 2 * kSecond + kFrameTime / 2);
  EXPECT_EQ(pass(timeline, kPicture, jump + kSecond).last, 4 * kSecond - kFrameTime);
}

INSTANTIATE_TEST_SUITE_P(Jumps, ContinuousTimelineJump,
                         ::testing::Values(0, -100 * kSecond, 36000 * kSecond, 13 * kSecond));

TEST(ContinuousTimeline, OneDamagedTimestampMovesNothingElse) {
  ContinuousTimeline timeline{10 * kSecond, 0};
  pass(timeline, kPicture, 0);
  EXPECT_EQ(1'000'000 * kSecond + timeline.shift(kPicture, 1'000'000 * kSecond, kFrameTime), kSecond);
  EXPECT_EQ(kSecond + kFrameTime + timeline.shift(kPicture, kSecond + kFrameTime, kFrameTime), kSecond + kFrameTime);
}

}  // namespace
}  // namespace tributary::segmenter
