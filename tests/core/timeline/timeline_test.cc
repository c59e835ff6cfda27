#include "core/timeline/timeline.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "presentation/segments/partial_segments.hh"
#include "support/drained.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::drained;
using testing::segment;

TEST(Timeline, OnDemandEverythingExists) {
  Timeline timeline{constant_table(3, {100_kB}), StreamingMode::kOnDemand};
  EXPECT_TRUE(timeline.next_exists());
  EXPECT_EQ(timeline.existing(), 3U);
  for (int i = 0; i < 3; ++i) timeline.start_next();
  EXPECT_FALSE(timeline.next_exists());
  EXPECT_TRUE(timeline.all_started());
}

TEST(Timeline, LiveSegmentsExistOncePublished) {
  Timeline timeline{constant_table(3, {100_kB}), StreamingMode::kLiveBuffered};
  ActionQueue actions;
  EXPECT_FALSE(timeline.next_exists());
  timeline.publish(segment(1), TimePoint{5s}, actions);  // and the one before it
  EXPECT_EQ(timeline.existing(), 2U);
  EXPECT_EQ(timeline.age(segment(0), TimePoint{6s}), Duration{1s});
  EXPECT_EQ(timeline.age(segment(2), TimePoint{6s}), std::nullopt);
}

TEST(Timeline, TheSegmentBehindTheNewestIsPublishedASegmentLater) {
  Timeline timeline{constant_table(3, {100_kB}), StreamingMode::kLiveBuffered};
  ActionQueue actions;
  timeline.publish(segment(0), TimePoint{5s}, actions);
  EXPECT_EQ(timeline.next_publication(TimePoint{6s}), Duration{1s});
  EXPECT_EQ(timeline.next_publication(TimePoint{9s}), Duration{0s});  // it is overdue
  timeline.publish(segment(1), TimePoint{7s}, actions);
  EXPECT_EQ(timeline.next_publication(TimePoint{7s}), Duration{0s});  // it exists
}

TEST(Timeline, AGrowingOneEndsWhenItIsTold) {
  Presentation presentation = testing::presentation_of({{"low", {100_kB}}});
  presentation.live = LiveWindow{};
  presentation.complete = false;
  Timeline timeline{SegmentTable{presentation}, StreamingMode::kLiveBuffered};
  ActionQueue actions;
  timeline.publish(segment(0), TimePoint{}, actions);
  timeline.start_next();
  EXPECT_TRUE(timeline.all_known_started());
  EXPECT_FALSE(timeline.all_started());
  timeline.add(segment(1), {{70_kB, 2'000}});
  timeline.add(segment(1), {{90_kB, 2'000}});  // it is known
  EXPECT_EQ(timeline.table().size(segment(1), QualityIndex{0}), 70_kB);
  timeline.end();
  EXPECT_FALSE(timeline.all_started());
  timeline.start_next();
  EXPECT_TRUE(timeline.all_started());
}

TEST(Timeline, WhatLeavesTheWindowIsSkippedWithItsAge) {
  Timeline timeline{constant_table(5, {100_kB}), StreamingMode::kLiveBuffered};
  ActionQueue actions;
  for (int i = 0; i < 4; ++i) timeline.publish(segment(i), TimePoint{i * 2s}, actions);
  timeline.start_next();
  timeline.move_window(segment(3), TimePoint{10s}, actions);
  const auto skipped = drained<action::SkipSegment>(actions);
  ASSERT_EQ(skipped.size(), 2U);
  EXPECT_EQ(skipped[0].segment, segment(1));
  EXPECT_EQ(skipped[0].lag, Duration{8s});
  EXPECT_EQ(timeline.next_segment(), segment(3));
  EXPECT_TRUE(timeline.left_window(segment(2)));
  EXPECT_EQ(timeline.nearest_to(segment(0)), segment(3));
  EXPECT_EQ(timeline.nearest_to(segment(9)), segment(4));
}

TEST(Timeline, WhatHasLeftTheWindowWhenItBecomesKnownIsNeverStarted) {
  Timeline timeline{constant_table(5, {100_kB}), StreamingMode::kLiveBuffered};
  ActionQueue actions;
  timeline.move_window(segment(2), TimePoint{10s}, actions);
  EXPECT_TRUE(drained<action::SkipSegment>(actions).empty()) << "it has not been told yet";
  timeline.publish(segment(2), TimePoint{10s}, actions);
  EXPECT_EQ(drained<action::SkipSegment>(actions).size(), 2U);
  EXPECT_EQ(timeline.next_segment(), segment(2));
}

TEST(Timeline, WhoeverIsTooFarBehindGoesOnWithTheNewest) {
  Timeline timeline{constant_table(5, {100_kB}), StreamingMode::kLiveUnbuffered};
  ActionQueue actions;
  for (int i = 0; i < 4; ++i) timeline.publish(segment(i), TimePoint{i * 2s}, actions);
  timeline.skip_to_live_edge(TimePoint{2s}, {}, actions);  // one segment behind is as it must be
  EXPECT_TRUE(drained<action::SkipSegment>(actions).empty());
  timeline.skip_to_live_edge(TimePoint{7s}, 6s, actions);  // the user wants to be there
  EXPECT_TRUE(drained<action::SkipSegment>(actions).empty());
  timeline.skip_to_live_edge(TimePoint{7s}, {}, actions);
  EXPECT_EQ(drained<action::SkipSegment>(actions).size(), 3U);
  EXPECT_EQ(timeline.next_segment(), segment(3));
}

/// Two segments in four parts each, all published.
Timeline in_parts(ActionQueue& actions) {
  Timeline timeline{SegmentTable{in_partial_segments(constant_table(2, {100_kB}).presentation(), 500ms)},
                    StreamingMode::kLiveBuffered};
  for (int i = 0; i < 8; ++i) timeline.publish(segment(i), TimePoint{i * 500ms}, actions);
  return timeline;
}

TEST(Timeline, WhatContinuesAMissingSegmentIsSkipped) {
  ActionQueue actions;
  Timeline timeline = in_parts(actions);
  timeline.start_next();
  timeline.start_next();
  timeline.give_up(segment(1), TimePoint{4s}, actions);
  const auto skipped = drained<action::SkipSegment>(actions);
  ASSERT_EQ(skipped.size(), 2U);
  EXPECT_EQ(skipped[1].segment, segment(3));
  EXPECT_EQ(timeline.next_segment(), segment(4));
}

TEST(Timeline, AQualityIsBoundByWhatContinuesIt) {
  ActionQueue actions;
  Timeline timeline = in_parts(actions);
  timeline.start_next();
  EXPECT_FALSE(timeline.is_bound(segment(0)));
  timeline.start_next();
  EXPECT_TRUE(timeline.is_bound(segment(0)));
  EXPECT_TRUE(timeline.is_bound(segment(1)));
}

TEST(Timeline, TheLiveEdgeFollowsFromWhatWasPublishedSoonest) {
  ActionQueue actions;
  Timeline timeline = in_parts(actions);
  EXPECT_EQ(timeline.live_edge(TimePoint{5s}), Duration{5500ms});  // part 7, which ends at 4 s, came at 3.5 s
  timeline.publish(segment(7), TimePoint{9s}, actions);            // late
  EXPECT_NEAR(to_seconds(*timeline.live_edge(TimePoint{5s})), 5.5, 0.01);
}

}  // namespace
}  // namespace tributary
