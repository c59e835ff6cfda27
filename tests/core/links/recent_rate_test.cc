#include "core/links/recent_rate.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(RecentRate, IsWhatCameInTheLastSecond) {
  RecentRate rate;
  TimePoint now{};
  for (int i = 0; i < 20; ++i) rate.received(10_kB, now += 100ms);
  EXPECT_NEAR(rate.since(TimePoint{}, now).bits_per_second(), 800e3, 80e3);
}

TEST(RecentRate, FallsWithinASecondWhenTheLinkCrawls) {
  RecentRate rate;
  TimePoint now{};
  for (int i = 0; i < 20; ++i) rate.received(10_kB, now += 100ms);
  for (int i = 0; i < 12; ++i) rate.received(DataSize{10}, now += 100ms);
  EXPECT_LT(rate.since(TimePoint{}, now).bits_per_second(), 2e3);
}

TEST(RecentRate, BytesBeforeThatDoNotCount) {
  RecentRate rate;
  rate.received(10_kB, TimePoint{9s});
  EXPECT_EQ(rate.since(TimePoint{9500ms}, TimePoint{10s}).bits_per_second(), 0);
  EXPECT_EQ(rate.since(TimePoint{8500ms}, TimePoint{9500ms}).bits_per_second(), 80e3);
}

}  // namespace
}  // namespace tributary
