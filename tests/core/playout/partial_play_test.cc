#include "core/playout/partial_play.hh"

#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::segment;
using testing::SessionDriver;

SessionOptions in_part(PartialSegments partial = PartialSegments::kPlay) {
  SessionOptions options = testing::static_options(1);
  options.subsegment_size = 25_kB;
  options.depth = 1;
  options.partial = partial;
  options.duplicates_percent = 0;
  return options;
}

/// 50 frames of 2 kB each.
event::FramesTold frames_of(int number) {
  event::FramesTold told{segment(number), QualityIndex{0}, {}};
  for (int i = 1; i <= 50; ++i) told.ends.push_back(DataSize{2'000 * i});
  return told;
}

/// Segments of 100 kB and 2 s, of which one link brings a quarter at a time. The first one plays from 2 s on, and the next
/// is due at 4 s.
class PartialPlayTest : public ::testing::Test {
 protected:
  void begins(const SessionOptions& options = in_part()) {
    driver.emplace(constant_table(4, {100_kB}), options);
    driver->link_up(0, "wifi");
    for (int i = 0; i < 4; ++i) comes_after(500ms);
    ASSERT_EQ(driver->all<action::PlaySegment>().size(), 1U);
    driver->happens(frames_of(1));
  }
  void comes_after(Duration time) {
    driver->wait(time);
    driver->answer(*driver->unanswered().begin());
  }
  template <typename Kind>
  std::vector<Kind> all() const {
    return driver->all<Kind>();
  }

  std::optional<SessionDriver> driver;
};

TEST_F(PartialPlayTest, ALateSegmentPlaysAndTheRestComesMeanwhile) {
  begins();
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(200ms);
  ASSERT_EQ(all<action::PlaySegment>().size(), 2U);
  EXPECT_EQ(all<action::PlaySegment>()[1].miss, 0s);
  ASSERT_EQ(all<action::DeliverFrames>().size(), 1U);
  EXPECT_EQ(all<action::DeliverFrames>()[0].begin, 0U);
  EXPECT_EQ(all<action::DeliverFrames>()[0].end, 37U);  // 75 kB of 2 kB each
  comes_after(400ms);
  ASSERT_EQ(all<action::DeliverSegment>().size(), 2U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].begin, 37U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].end, 0U);  // all
  EXPECT_EQ(all<action::DeliverSegment>()[1].frames_lost, 0U);
  EXPECT_TRUE(all<action::Stall>().empty());
}

TEST_F(PartialPlayTest, ASessionThatIsWokenLateMissesNothing) {
  begins();
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  Session& session = driver->session();
  session.handle(event::DeadlineReached{}, TimePoint{4003ms});
  std::optional<action::PlaySegment> played;
  while (const auto action = session.next_action()) {
    if (const auto* one = std::get_if<action::PlaySegment>(&*action)) played = *one;
  }
  ASSERT_TRUE(played);
  EXPECT_EQ(played->at, TimePoint{4s});
}

TEST_F(PartialPlayTest, TheNextSegmentIsBegunWhileTheRestComes) {
  SessionOptions options = in_part();
  options.depth = 2;
  begins(options);
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(200ms);
  EXPECT_EQ(all<action::StartSegment>().size(), 2U);
  driver->happens(event::ResponseBegan{*driver->unanswered().begin()});  // the link may be asked for more
  EXPECT_EQ(all<action::StartSegment>().size(), 3U);
}

TEST_F(PartialPlayTest, PlayoutWaitsIfTheOptionSaysSo) {
  begins(in_part(PartialSegments::kWait));
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(200ms);
  EXPECT_EQ(all<action::PlaySegment>().size(), 1U);
  EXPECT_EQ(all<action::Stall>().size(), 1U);
  EXPECT_TRUE(all<action::DeliverFrames>().empty());
}

TEST_F(PartialPlayTest, PlayoutWaitsWhereNobodyTellsTheFrames) {
  begins();
  event::FramesTold other = frames_of(1);
  other.ends.pop_back();  // the segment has further chunks
  driver->happens(other);
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(200ms);
  EXPECT_EQ(all<action::PlaySegment>().size(), 1U);
  EXPECT_EQ(all<action::Stall>().size(), 1U);
}

/// At this rate, the last frame of the segment would come 0.4 s after its time.
TEST_F(PartialPlayTest, PlayoutWaitsUntilTheRestIsExpectedInTime) {
  begins();
  comes_after(1s);
  driver->wait(1s);
  EXPECT_EQ(all<action::Stall>().size(), 1U);
  EXPECT_EQ(all<action::PlaySegment>().size(), 1U);
  comes_after(0s);
  comes_after(500ms);
  ASSERT_EQ(all<action::PlaySegment>().size(), 2U);
  EXPECT_GT(all<action::PlaySegment>()[1].miss, 0s);
  EXPECT_LE(all<action::PlaySegment>()[1].miss, 500ms);
}

TEST_F(PartialPlayTest, WhatHasNotComeWhenTheNextIsDueIsLost) {
  begins();
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(2200ms);
  ASSERT_EQ(all<action::DeliverSegment>().size(), 2U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].begin, 37U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].end, 37U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].frames_lost, 13U);
  EXPECT_EQ(all<action::Stall>().size(), 1U);  // the next one is not there
}

TEST_F(PartialPlayTest, FramesThatComeAfterTheirTimeAreLost) {
  begins();
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(200ms);
  comes_after(1700ms);  // frame 37 was to be shown 1.48 s after the beginning, and decoded two frames before
  ASSERT_EQ(all<action::DeliverSegment>().size(), 2U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].end, 0U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].frames_lost, 8U);
}

TEST_F(PartialPlayTest, AfterASeekTheSegmentIsDeliveredFromItsBeginning) {
  begins();
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  driver->wait(300ms);
  ASSERT_EQ(all<action::DeliverFrames>().size(), 1U);
  driver->happens(event::SeekRequested{segment(1), 0, std::nullopt});
  comes_after(100ms);
  ASSERT_EQ(all<action::DeliverSegment>().size(), 2U);
  EXPECT_EQ(all<action::DeliverSegment>()[1].segment, segment(1));
  EXPECT_EQ(all<action::DeliverSegment>()[1].begin, 0U);
  EXPECT_EQ(all<action::PlaySegment>().back().segment, segment(1));
}

TEST_F(PartialPlayTest, APlayerThatReportsGetsTheFirstFramesBeforeTheyAreDue) {
  SessionOptions options = in_part();
  options.playout = PlayoutSource::kReported;
  driver.emplace(constant_table(4, {100_kB}), options);
  driver->link_up(0, "wifi");
  for (int i = 0; i < 4; ++i) comes_after(500ms);
  driver->happens(event::PlayoutReported{PlayoutState::kPlaying, segment(0), 2s});
  driver->happens(frames_of(1));
  for (int i = 0; i < 2; ++i) comes_after(600ms);
  driver->wait(50ms);
  EXPECT_TRUE(all<action::DeliverFrames>().empty());
  driver->wait(100ms);  // 0.7 s before it is due, half of it is there
  ASSERT_EQ(all<action::DeliverFrames>().size(), 1U);
  EXPECT_EQ(all<action::DeliverFrames>()[0].end, 25U);
  EXPECT_EQ(all<action::PlaySegment>().size(), 1U);
  comes_after(400ms);
  ASSERT_EQ(all<action::DeliverFrames>().size(), 2U);
  EXPECT_EQ(all<action::DeliverFrames>()[1].begin, 25U);
  driver->wait(300ms);
  EXPECT_EQ(all<action::PlaySegment>().size(), 2U);
}

/// A player that begins: a quarter of its first segment is here.
class BeginningPlayerTest : public PartialPlayTest {
 protected:
  BeginningPlayerTest() {
    SessionOptions options = in_part(PartialSegments::kWait);
    options.playout = PlayoutSource::kReported;
    driver.emplace(constant_table(4, {100_kB}), options);
    driver->link_up(0, "wifi");
    driver->happens(frames_of(0));
    comes_after(500ms);
  }
};

TEST_F(BeginningPlayerTest, ShowsTheFirstPictureWhileTheRestOfTheSegmentComes) {
  ASSERT_EQ(all<action::DeliverFrames>().size(), 1U);
  EXPECT_EQ(all<action::DeliverFrames>()[0].begin, 0U);
  EXPECT_EQ(all<action::DeliverFrames>()[0].end, 12U);  // 25 kB of 2 kB each
  comes_after(500ms);
  comes_after(500ms);
  ASSERT_EQ(all<action::DeliverFrames>().size(), 3U);
  EXPECT_EQ(all<action::DeliverFrames>()[2].begin, 25U);
  EXPECT_TRUE(all<action::AllowPlayout>().empty());
  comes_after(500ms);
  ASSERT_EQ(all<action::DeliverSegment>().size(), 1U);
  EXPECT_EQ(all<action::DeliverSegment>()[0].begin, 37U);
  EXPECT_EQ(all<action::AllowPlayout>().size(), 1U);
  EXPECT_TRUE(all<action::PlaySegment>().empty()) << "it has not reported yet";
}

TEST_F(BeginningPlayerTest, WaitsForTheNextSegmentsAsALatePlayerDoes) {
  for (int i = 0; i < 3; ++i) comes_after(500ms);
  driver->happens(event::PlayoutReported{PlayoutState::kPlaying, segment(0), 2s});
  const std::size_t before = all<action::DeliverFrames>().size();
  driver->happens(frames_of(1));
  for (int i = 0; i < 3; ++i) comes_after(600ms);
  EXPECT_EQ(all<action::DeliverFrames>().size(), before);
}

TEST_F(BeginningPlayerTest, HasTheFrontOnceMoreAfterASeekToTheSameSegment) {
  driver->happens(event::SeekRequested{segment(0), 0, std::nullopt});
  ASSERT_EQ(all<action::DeliverFrames>().size(), 2U);
  EXPECT_EQ(all<action::DeliverFrames>()[1].begin, 0U);
  EXPECT_EQ(all<action::DeliverFrames>()[1].end, 12U);
}

}  // namespace
}  // namespace tributary
