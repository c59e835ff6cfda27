#include "simulation/congestion_window.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kUsed = 1e6;  // all that the window allows was in flight

TEST(CongestionWindow, SlowStartAddsAPacketForEachAcknowledged) {
  CongestionWindow window;
  EXPECT_EQ(window.packets(), 10);
  for (int i = 0; i < 10; ++i) window.acknowledged(TimePoint{100ms}, 100ms, kUsed);
  EXPECT_EQ(window.packets(), 20);
}

TEST(CongestionWindow, DoesNotGrowBeyondTwiceOfWhatIsUsed) {
  CongestionWindow window;
  for (int i = 0; i < 100; ++i) window.acknowledged(TimePoint{100ms}, 100ms, 8);
  EXPECT_EQ(window.packets(), 16);
}

TEST(CongestionWindow, ALossTakesThreeTenths) {
  CongestionWindow window;
  for (int i = 0; i < 90; ++i) window.acknowledged(TimePoint{100ms}, 100ms, kUsed);
  window.lost();
  EXPECT_DOUBLE_EQ(window.packets(), 70);
}

TEST(CongestionWindow, CubicReturnsToTheOldWindowAfterK) {
  CongestionWindow window;
  for (int i = 0; i < 90; ++i) window.acknowledged(TimePoint{100ms}, 100ms, kUsed);
  window.lost();
  // K = cbrt(100 * 0.3 / 0.4) = 4.22 s (RFC 9438 section 4.2)
  TimePoint now{1s};
  while (now < TimePoint{1s} + 4220ms) {
    const int acknowledged = static_cast<int>(window.packets());
    for (int i = 0; i < acknowledged; ++i) window.acknowledged(now, 100ms, kUsed);
    now += 100ms;
  }
  EXPECT_NEAR(window.packets(), 100, 3);
}

TEST(CongestionWindow, SlowStartEndsWhenTheRoundTripGrows) {
  CongestionWindow window;
  TimePoint now{};
  for (int round = 0; round < 8; ++round) {
    const Duration round_trip = window.packets() > 60 ? Duration{130ms} : Duration{100ms};  // a queue builds up
    const int acknowledged = static_cast<int>(window.packets());
    for (int i = 0; i < acknowledged; ++i) window.acknowledged(now, round_trip, kUsed);
    now += round_trip;
  }
  EXPECT_LT(window.packets(), 200);  // it would be 2560
}

TEST(CongestionWindow, HalvesForEachTimeoutOfIdleness) {
  CongestionWindow window;
  for (int i = 0; i < 90; ++i) window.acknowledged(TimePoint{100ms}, 100ms, kUsed);
  window.idle_ended(150ms, 200ms);
  EXPECT_EQ(window.packets(), 100);
  window.idle_ended(450ms, 200ms);
  EXPECT_EQ(window.packets(), 25);
  window.idle_ended(10s, 200ms);
  EXPECT_EQ(window.packets(), 10);
}

}  // namespace
}  // namespace tributary
