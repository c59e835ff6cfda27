#include "core/link_estimator.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kStart{};

TEST(LinkEstimator, KnowsNothingBeforeTheFirstRequestIsDone) { EXPECT_FALSE(LinkEstimator{}.throughput()); }

TEST(LinkEstimator, AveragesEachMeasurementWithTheAverageBefore) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);  // 800 kbit/s
  EXPECT_EQ(link.throughput(), 800_kbps);
  link.request_done(100_kB, kStart + 1s, kStart + 1500ms);  // 1600
  EXPECT_EQ(link.throughput(), 1200_kbps);
  link.request_done(100_kB, kStart + 1500ms, kStart + 2500ms);  // 800
  EXPECT_EQ(link.throughput(), 1000_kbps);
}

TEST(LinkEstimator, APipelinedRequestIsMeasuredFromTheEndOfTheOneBefore) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 100ms, kStart + 2s);  // waited 0.9 s behind the first
  EXPECT_EQ(link.throughput(), 800_kbps);
}

TEST(LinkEstimator, ARequestThatFoundTheLinkIdleIsMeasuredFromItsSending) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 9s, kStart + 10s);  // 8 s of silence are not in it
  EXPECT_EQ(link.throughput(), 800_kbps);
}

TEST(LinkEstimator, AFewBytesInTheSamePacketAreNoMeasurement) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(1_kB, kStart, kStart + 1s + 1us);  // 8 Gbit/s, if it were one
  EXPECT_EQ(link.throughput(), 800_kbps);
  link.request_done(99_kB, kStart, kStart + 2s);  // measured with the few bytes before: 100 kB in 1 s
  EXPECT_EQ(link.throughput(), 800_kbps);
}

}  // namespace
}  // namespace tributary
