#include "core/link_estimator.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kStart{};

double kilobits(const LinkEstimator& link) { return link.throughput()->kilobits_per_second(); }

TEST(LinkEstimator, KnowsNothingBeforeTheFirstRequestIsDone) { EXPECT_FALSE(LinkEstimator{}.throughput()); }

TEST(LinkEstimator, AveragesEachMeasurementWithTheAverageBefore) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);  // 10 us a byte
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.request_done(100_kB, kStart + 1s, kStart + 1600ms);  // 6 us: 8 on average
  EXPECT_NEAR(kilobits(link), 1000, 1e-6);
  link.request_done(100_kB, kStart + 1600ms, kStart + 1800ms);  // 2 us: 5 on average
  EXPECT_NEAR(kilobits(link), 1600, 1e-6);
}

TEST(LinkEstimator, ABurstAfterALossIsNoJumpOfTheEstimate) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  // The first of these waited for a packet that was sent again; all behind it had arrived, and came with it.
  link.request_done(100_kB, kStart, kStart + 3s);
  link.request_done(100_kB, kStart, kStart + 3s + 1us);
  EXPECT_NEAR(kilobits(link), 1067, 1);  // 800 would be right, 400'000 is what it looks like
}

TEST(LinkEstimator, APipelinedRequestIsMeasuredFromTheEndOfTheOneBefore) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 100ms, kStart + 2s);  // waited 0.9 s behind the first
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(LinkEstimator, ARequestThatFoundTheLinkIdleIsMeasuredFromItsSending) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 9s, kStart + 10s);  // 8 s of silence are not in it
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(LinkEstimator, AFewBytesInTheSamePacketAreNoMeasurement) {
  LinkEstimator link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(1_kB, kStart, kStart + 1s + 1us);  // 8 Gbit/s, if it were one
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.request_done(99_kB, kStart, kStart + 2s);  // measured with the few bytes before: 100 kB in 1 s
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

}  // namespace
}  // namespace tributary
