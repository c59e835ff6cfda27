#include <gtest/gtest.h>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::presentation_of;
using testing::segment;
using testing::SessionDriver;

SessionOptions live(std::uint32_t buffer) { return testing::live_options(StreamingMode::kLiveBuffered, buffer); }

/// Two segments of 100 kB exist; more may come.
SegmentTable growing_table(std::optional<std::size_t> limit = std::nullopt) {
  Presentation presentation = presentation_of({{"low", {100_kB, 100_kB}}});
  presentation.live = LiveWindow{};
  presentation.complete = false;
  return SegmentTable{presentation, limit};
}

TEST(GrowingTable, WhatIsNotLiveDoesNotGrow) {
  Presentation presentation = presentation_of({{"low", {100_kB, 100_kB}}});
  presentation.complete = false;
  EXPECT_TRUE(SegmentTable{presentation}.complete());
  EXPECT_FALSE(growing_table().complete());
}

class SessionGrowth : public ::testing::Test {
 protected:
  void begin(SessionDriver& d) {
    d.link_up(0, "wifi");
    for (int i = 0; i < 2; ++i) d.happens(event::SegmentPublished{segment(i)});
  }
  void add(SessionDriver& d, int i, DataSize size) {
    d.happens(event::SegmentAdded{segment(i), {{size, 2000}}});
    d.happens(event::SegmentPublished{segment(i)});
  }
};

TEST_F(SessionGrowth, RequestsWhatIsAddedAndEndsWhenThePresentationDoes) {
  SessionDriver d{growing_table(), live(3)};
  begin(d);
  d.answer_all();
  EXPECT_FALSE(d.session().finished());
  add(d, 2, 70_kB);
  EXPECT_EQ(d.all<action::SendRequest>().back().range.size(), 70_kB);
  d.answer_all();
  EXPECT_EQ(d.session().table().segment_count(), 3U);
  EXPECT_FALSE(d.session().finished());
  d.happens(event::PresentationEnded{});
  ASSERT_TRUE(d.session().finished());
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
  EXPECT_EQ(d.all<action::PlaySegment>().size(), 3U);
}

TEST_F(SessionGrowth, ALimitEndsItToo) {
  SessionDriver d{growing_table(3), live(3)};
  begin(d);
  d.answer_all();
  add(d, 2, 70_kB);
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
}

TEST_F(SessionGrowth, WaitingForPublicationIsNoReasonToGiveUp) {
  SessionDriver d{growing_table(), live(3)};
  begin(d);
  d.answer_all();
  d.wait(300s);
  EXPECT_FALSE(d.session().finished());
}

TEST_F(SessionGrowth, WhatLeftTheWindowUnrequestedIsSkippedByName) {
  SessionDriver d{growing_table(), live(1)};
  begin(d);  // segment 0 is being received, 1 waits for room
  add(d, 2, 100_kB);
  d.wait(10s);
  d.happens(event::WindowMoved{segment(2)});
  const auto skipped = d.all<action::SkipSegment>();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].segment, segment(1));
  EXPECT_EQ(skipped[0].lag, 10s);
  EXPECT_NE(skipped[0].reason.find("left the origin's window"), std::string::npos);
  d.answer_all();
  d.wait(2s);
  EXPECT_EQ(d.all<action::StartSegment>().back().segment, segment(2));
}

TEST_F(SessionGrowth, WhatIsRemovedWhileItIsReceivedIsGivenUp) {
  SessionDriver d{growing_table(), live(2)};
  begin(d);
  add(d, 2, 100_kB);
  d.wait(1s);
  d.happens(event::WindowMoved{segment(1)});
  d.fail(RequestId{1}, FailureReason::kNotFound);
  const auto skipped = d.all<action::SkipSegment>();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].segment, segment(0));
  d.wait(1s);  // the link is left alone for a while
  d.answer_all();
  d.happens(event::PresentationEnded{});
  d.wait(4s);
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
}

TEST_F(SessionGrowth, ANewSegmentThatIsNotThereIsAskedForAgainSoon) {
  SessionDriver d{growing_table(), live(2)};
  begin(d);
  for (int i = 0; i < 10; ++i) {
    d.fail(*d.unanswered().begin(), FailureReason::kNotFound);
    d.wait(250ms);
    ASSERT_FALSE(d.unanswered().empty()) << i;
  }
  d.answer_all();
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
  EXPECT_FALSE(d.session().finished());
}

TEST_F(SessionGrowth, AMissingSegmentWithinTheWindowIsSkippedByName) {
  SessionDriver d{growing_table(), live(1)};
  begin(d);
  for (int i = 0; i < 8 && d.all<action::SkipSegment>().empty(); ++i) {
    d.wait(10s);
    if (!d.unanswered().empty()) d.fail(*d.unanswered().begin(), FailureReason::kNotFound);
  }
  const auto skipped = d.all<action::SkipSegment>();
  ASSERT_EQ(skipped.size(), 1U);
  EXPECT_EQ(skipped[0].segment, segment(0));
  EXPECT_NE(skipped[0].reason.find("the origin does not have it"), std::string::npos);
  EXPECT_FALSE(d.session().finished());
}

TEST_F(SessionGrowth, ManyMissingSegmentsInARowAreAnError) {
  SessionOptions options = live(1);
  options.give_up_after = 3600s;
  SessionDriver d{growing_table(), options};
  begin(d);
  for (int i = 2; i < 6; ++i) add(d, i, 100_kB);
  for (int i = 0; i < 40 && !d.session().finished(); ++i) {
    d.wait(10s);
    if (!d.unanswered().empty()) d.fail(*d.unanswered().begin(), FailureReason::kNotFound);
  }
  ASSERT_TRUE(d.session().finished());
  EXPECT_FALSE(d.all<action::Finish>()[0].complete);
  EXPECT_EQ(d.all<action::SkipSegment>().size(), 3U);
}

TEST_F(SessionGrowth, AnAddedSegmentMayHaveAnEstimateAndSoundOfItsOwn) {
  Presentation presentation = presentation_of({{"low", {100_kB, 100_kB}}, {"sound", {10_kB, 10_kB}}});
  presentation.tracks[1].kind = TrackKind::kAudio;
  presentation.live = LiveWindow{};
  presentation.complete = false;
  presentation.own_grids = true;
  SegmentTable table{presentation};
  const TrackSegment picture{.size = 80_kB, .ticks = 2000, .estimated = true, .track = 0};
  const TrackSegment half{.size = 5_kB, .ticks = 1000, .estimated = true, .track = 1};
  table.append(std::vector{picture, half, half, half});
  EXPECT_EQ(table.parts(segment(2), QualityIndex{0}).size(), 3U) << "the third sound comes with the next picture";
  EXPECT_TRUE(table.parts(segment(2), QualityIndex{0}).back().resource.estimated);
  EXPECT_FALSE(table.parts(segment(1), QualityIndex{0}).back().resource.estimated);
  table.append(std::vector{picture});
  EXPECT_EQ(table.parts(segment(3), QualityIndex{0}).size(), 2U);
  table.append(std::vector{picture, half});
  EXPECT_EQ(table.parts(segment(3), QualityIndex{0}).size(), 2U) << "which may be on its way";
  EXPECT_EQ(table.parts(segment(4), QualityIndex{0}).size(), 2U);
}

}  // namespace
}  // namespace tributary
