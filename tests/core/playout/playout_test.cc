#include "core/playout/playout.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class PlayoutTest : public ::testing::Test {
 protected:
  void add(Playout& playout, int i, TimePoint now) { playout.add(segment(i), 2s, now, actions); }
  event::PlayoutReported says(PlayoutState state, int i, Duration left, double speed = 1) {
    return {state, segment(i), left, speed};
  }

  ActionQueue actions;
  Timeline timeline{constant_table(6, {100_kB}), StreamingMode::kOnDemand};
};

TEST_F(PlayoutTest, AnAssumedPlayerBeginsWithEnough) {
  Playout playout{PlayoutSource::kAssumed};
  add(playout, 0, TimePoint{1s});
  playout.start_if_ready(2, false, TimePoint{1s}, actions);
  EXPECT_FALSE(playout.buffer().started());
  add(playout, 1, TimePoint{2s});
  playout.start_if_ready(2, false, TimePoint{2s}, actions);
  const auto played = drained<action::PlaySegment>(actions);
  ASSERT_EQ(played.size(), 1U);
  EXPECT_EQ(played[0].at, TimePoint{2s});
  EXPECT_EQ(playout.segments_played(), 1U);
}

TEST_F(PlayoutTest, OrWithWhatThereIsIfNothingMoreComes) {
  Playout playout{PlayoutSource::kAssumed};
  playout.start_if_ready(2, true, TimePoint{}, actions);
  EXPECT_FALSE(playout.buffer().started());  // with nothing it does not
  add(playout, 0, TimePoint{1s});
  playout.start_if_ready(2, true, TimePoint{1s}, actions);
  EXPECT_TRUE(playout.buffer().started());
}

TEST_F(PlayoutTest, AStallIsToldOnceAndAgainAfterSomethingPlayed) {
  Playout playout{PlayoutSource::kAssumed};
  add(playout, 0, TimePoint{});
  playout.start_if_ready(1, false, TimePoint{}, actions);
  EXPECT_FALSE(playout.has_new_stall(TimePoint{1s}));
  ASSERT_TRUE(playout.has_new_stall(TimePoint{3s}));
  playout.tell_stall("late", actions);
  EXPECT_FALSE(playout.has_new_stall(TimePoint{4s}));
  add(playout, 1, TimePoint{5s});
  EXPECT_EQ(drained<action::Stall>(actions).size(), 1U);
  EXPECT_TRUE(playout.has_new_stall(TimePoint{8s}));
}

TEST_F(PlayoutTest, AReportingPlayerIsAllowedToBeginAndToGoOn) {
  Playout playout{PlayoutSource::kReported};
  EXPECT_TRUE(playout.awaited());
  add(playout, 0, TimePoint{1s});
  playout.start_if_ready(1, false, TimePoint{1s}, actions);
  EXPECT_EQ(drained<action::AllowPlayout>(actions).size(), 1U);
  playout.start_if_ready(1, false, TimePoint{1s}, actions);
  EXPECT_TRUE(drained<action::AllowPlayout>(actions).empty());
  EXPECT_FALSE(playout.report(says(PlayoutState::kPlaying, 0, 2s), timeline, TimePoint{1s}, actions));
  EXPECT_TRUE(playout.report(says(PlayoutState::kStalled, 0, 0s), timeline, TimePoint{3s}, actions));
  add(playout, 1, TimePoint{4s});
  playout.start_if_ready(5, false, TimePoint{4s}, actions);  // after a stall, one is enough
  EXPECT_EQ(drained<action::AllowPlayout>(actions).size(), 1U);
}

TEST_F(PlayoutTest, WhatAStallWaitsForMayHaveComeMeanwhile) {
  Playout playout{PlayoutSource::kReported};
  add(playout, 0, TimePoint{});
  playout.start_if_ready(1, false, TimePoint{}, actions);
  playout.report(says(PlayoutState::kPlaying, 0, 2s), timeline, TimePoint{}, actions);
  add(playout, 1, TimePoint{1900ms});
  drained<action::AllowPlayout>(actions);
  EXPECT_FALSE(playout.report(says(PlayoutState::kStalled, 0, 0s), timeline, TimePoint{2s}, actions));
  EXPECT_EQ(drained<action::AllowPlayout>(actions).size(), 1U);
}

TEST_F(PlayoutTest, APauseOfTheUserIsNoLagToBeMadeUpFor) {
  Playout playout{PlayoutSource::kReported};
  add(playout, 0, TimePoint{});
  playout.start_if_ready(1, false, TimePoint{}, actions);
  playout.report(says(PlayoutState::kPlaying, 0, 2s), timeline, TimePoint{}, actions);
  playout.report(says(PlayoutState::kPaused, 0, 1s), timeline, TimePoint{1s}, actions);
  playout.report(says(PlayoutState::kPlaying, 0, 1s), timeline, TimePoint{4s}, actions);
  EXPECT_EQ(playout.accepted_lag(), Duration{3s});
  playout.report(says(PlayoutState::kPlaying, 0, 1s, 2), timeline, TimePoint{4s}, actions);
  playout.report(says(PlayoutState::kPlaying, 1, 1s), timeline, TimePoint{5s}, actions);
  EXPECT_EQ(playout.accepted_lag(), Duration{2s});  // who plays faster catches up
}

TEST_F(PlayoutTest, ASeekBeginsAnewWithWhatIsCached) {
  Playout playout{PlayoutSource::kAssumed};
  add(playout, 0, TimePoint{});
  playout.start_if_ready(1, false, TimePoint{}, actions);
  playout.seek(segment(3), 9, timeline.table(), TimePoint{1s});
  EXPECT_FALSE(playout.buffer().started());
  EXPECT_EQ(playout.buffer().buffered_segments(), 3U);  // the table ends there
  EXPECT_EQ(playout.segments_played(), 1U);
}

TEST_F(PlayoutTest, SomebodyWaitsForTheStartWhileSomethingComes) {
  Playout playout{PlayoutSource::kAssumed};
  playout.look_for_wish_to_start(false, TimePoint{1s});
  EXPECT_EQ(playout.start_wanted(), std::nullopt);
  playout.look_for_wish_to_start(true, TimePoint{2s});
  playout.look_for_wish_to_start(true, TimePoint{3s});
  EXPECT_EQ(playout.start_wanted(), TimePoint{2s});
}

TEST_F(PlayoutTest, ASpeedThatIsSteeredIsNoWishOfTheUser) {
  Playout playout{PlayoutSource::kReported};
  add(playout, 0, TimePoint{});
  playout.start_if_ready(1, false, TimePoint{}, actions);
  playout.steer(0.95, "far ahead", TimePoint{}, actions);
  EXPECT_EQ(drained<action::SetSpeed>(actions).size(), 1U);
  for (int i = 0; i < 3; ++i)
    playout.report(says(PlayoutState::kPlaying, 0, 1s, 0.95), timeline, TimePoint{i * 1s}, actions);
  EXPECT_EQ(playout.accepted_lag(), 0s);
  playout.report(says(PlayoutState::kPlaying, 0, 1s, 0.5), timeline, TimePoint{3s}, actions);
  playout.report(says(PlayoutState::kPlaying, 0, 1s, 0.5), timeline, TimePoint{5s}, actions);
  EXPECT_EQ(playout.accepted_lag(), 1s);
}

}  // namespace
}  // namespace tributary
