#include "core/links/last_round_trip.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(LastRoundTrip, IsTheAverageAsLongAsThatRises) {
  LastRoundTrip round_trip;
  EXPECT_EQ(round_trip.value(), 0ms);
  round_trip.sample(100ms, 90ms);
  round_trip.sample(150ms, 90ms);
  EXPECT_EQ(round_trip.value(), 150ms);
}

TEST(LastRoundTrip, AfterACrawlItIsShortAtOnce) {
  LastRoundTrip round_trip;
  round_trip.sample(3000ms, 100ms);
  Duration smoothed = 3000ms;
  for (int i = 0; i < 3; ++i) {
    smoothed = (7 * smoothed + 120ms) / 8;
    round_trip.sample(smoothed, 100ms);
    EXPECT_NEAR(to_seconds(round_trip.value()), 0.120, 1e-6);
  }
  round_trip.sample(smoothed / 2, 100ms);  // several in between
  EXPECT_EQ(round_trip.value(), 100ms);
}

TEST(LastRoundTrip, IsTheAverageWhereQueuesComeAndGo) {
  LastRoundTrip round_trip;
  round_trip.sample(300ms, 100ms);
  const Duration smoothed = (7 * 300ms + 100ms) / 8;
  round_trip.sample(smoothed, 100ms);
  EXPECT_EQ(round_trip.value(), smoothed);
}

}  // namespace
}  // namespace tributary
