#include "proxy/titles/player_pace.hh"

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

}  // namespace
}  // namespace tributary::proxy
