#include "proxy/players/player_pace.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;

TEST(PlayerPace, APlayerThatBeginsCanWaitForTheLengthOfASegment) {
  PlayerPace pace;
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{5s}), 2s);
}

TEST(PlayerPace, MediaGivenIsPlayedInTheTimeThatGoesBy) {
  PlayerPace pace;
  for (int i = 0; i < 4; ++i) pace.asked("picture", 2s, TimePoint{0s});
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{1s}), 3500ms);  // half of seven seconds
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{7s}), 2s);      // three are left: no less than a segment
}

TEST(PlayerPace, RenditionsCountByThemselves) {
  PlayerPace pace;
  for (int i = 0; i < 4; ++i) pace.asked("picture", 4s, TimePoint{0s});
  EXPECT_EQ(pace.asked("sound", 4s, TimePoint{1s}), 4s);
  EXPECT_EQ(pace.asked("picture", 4s, TimePoint{1s}), 7500ms);
}

TEST(PlayerPace, WhoHadNothingLeftBeginsAnew) {
  PlayerPace pace;
  for (int i = 0; i < 5; ++i) pace.asked("picture", 2s, TimePoint{0s});
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{60s}), 2s);
  for (int i = 0; i < 5; ++i) pace.asked("picture", 2s, TimePoint{60s});
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{61s}), 5500ms);  // eleven are left
}

TEST(PlayerPace, APlayerThatFetchesMuchAtOnceHoldsNoMoreThanPlayersDo) {
  PlayerPace pace;
  for (int i = 0; i < 100; ++i) EXPECT_LE(pace.asked("picture", 10s, TimePoint{1ms * i}), 15s);
}

/// Asks for that segment of two seconds, and returns what was in hand before.
Duration in_hand(PlayerPace& pace, std::uint64_t number, TimePoint now) {
  const Duration left = pace.left("picture", number, 2s, now);
  pace.asked("picture", 2s, now);
  return left;
}

TEST(PlayerPace, WhatIsInHandIsWhatWasGivenLessTheTimeGoneBy) {
  PlayerPace pace;
  EXPECT_EQ(in_hand(pace, 7, TimePoint{0s}), 0s);
  EXPECT_EQ(in_hand(pace, 8, TimePoint{0s}), 2s);
  EXPECT_EQ(in_hand(pace, 9, TimePoint{1s}), 3s);
  EXPECT_EQ(in_hand(pace, 10, TimePoint{9s}), 0s);  // it stood still
  EXPECT_EQ(in_hand(pace, 11, TimePoint{10s}), 1s);
}

TEST(PlayerPace, AtAnotherPlaceNothingIsInHandAndTheSameSegmentCountsOnce) {
  PlayerPace pace;
  for (std::uint64_t i = 0; i < 5; ++i) in_hand(pace, i, TimePoint{0s});
  EXPECT_EQ(in_hand(pace, 4, TimePoint{0s}), 8s);
  EXPECT_EQ(in_hand(pace, 5, TimePoint{0s}), 10s);
  EXPECT_EQ(in_hand(pace, 100, TimePoint{1s}), 0s);
  EXPECT_EQ(in_hand(pace, 101, TimePoint{1s}), 2s);
}

TEST(PlayerPace, APlayerStandsStillWhenItHasPlayedWhatItWasGiven) {
  PlayerPace pace;
  const auto lasts = [&](Duration at) { return pace.lasts("picture", 2s, TimePoint{at}); };
  EXPECT_EQ(lasts(0s), std::nullopt) << "it begins";
  for (const Duration at : {0s, 1s, 2s}) pace.asked("picture", 2s, TimePoint{at});
  EXPECT_EQ(lasts(3s), 5s) << "6 s were given in 3 s, and it began with the first segment at the earliest";
  EXPECT_EQ(lasts(7s), std::nullopt) << "it was paused, or stands still";
  for (const std::uint64_t number : {3, 40}) pace.left("picture", number, 2s, TimePoint{3s});
  EXPECT_EQ(lasts(3s), std::nullopt) << "it is at another place";
}

}  // namespace
}  // namespace tributary::proxy
