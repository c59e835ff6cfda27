#include "proxy/titles/player_pace.hh"

#include <gtest/gtest.h>

namespace tributary::proxy {
namespace {

using namespace std::chrono_literals;

TEST(PlayerPace, APlayerThatBeginsWaits) {
  PlayerPace pace;
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{5s}), 0s);
}

TEST(PlayerPace, MediaGivenIsPlayedInTheTimeThatGoesBy) {
  PlayerPace pace;
  pace.asked("picture", 4s, TimePoint{0s});
  EXPECT_EQ(pace.asked("picture", 4s, TimePoint{1s}), 1500ms);  // half of three seconds
  EXPECT_EQ(pace.asked("picture", 4s, TimePoint{2s}), 3s);      // of six
}

TEST(PlayerPace, KindsOfMediaCountByThemselves) {
  PlayerPace pace;
  pace.asked("picture", 4s, TimePoint{0s});
  EXPECT_EQ(pace.asked("sound", 4s, TimePoint{1s}), 0s);
}

TEST(PlayerPace, WhoHadNothingLeftBeginsAnew) {
  PlayerPace pace;
  pace.asked("picture", 2s, TimePoint{0s});
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{60s}), 0s);
  EXPECT_EQ(pace.asked("picture", 2s, TimePoint{61s}), 500ms);
}

TEST(PlayerPace, APlayerThatFetchesMuchAtOnceHoldsNoMoreThanPlayersDo) {
  PlayerPace pace;
  for (int i = 0; i < 100; ++i) EXPECT_LE(pace.asked("picture", 10s, TimePoint{1ms * i}), 15s);
}

}  // namespace
}  // namespace tributary::proxy
