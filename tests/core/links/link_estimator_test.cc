#include "core/links/link_estimator.hh"

#include <gtest/gtest.h>

#include "core/links/least_round_trip.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kStart{};

double kilobits(const LinkEstimator& link) { return link.throughput()->kilobits_per_second(); }

TEST(SubsegmentTimes, KnowsNothingBeforeTheFirstRequestIsDone) { EXPECT_FALSE(SubsegmentTimes{}.throughput()); }

TEST(SubsegmentTimes, AveragesEachMeasurementWithTheAverageBefore) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);  // 10 us a byte
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.request_done(100_kB, kStart + 1s, kStart + 1600ms);  // 6 us: 8 on average
  EXPECT_NEAR(kilobits(link), 1000, 1e-6);
  link.request_done(100_kB, kStart + 1600ms, kStart + 1800ms);  // 2 us: 5 on average
  EXPECT_NEAR(kilobits(link), 1600, 1e-6);
}

TEST(AverageThroughput, AveragesRatesAsTheThesisSays) {
  AverageThroughput of_requests{true}, of_turns{false};
  for (LinkEstimator* link : {static_cast<LinkEstimator*>(&of_requests), static_cast<LinkEstimator*>(&of_turns)}) {
    EXPECT_FALSE(link->throughput());
    link->request_done(100_kB, kStart, kStart + 1s);
    EXPECT_NEAR(kilobits(*link), 800, 1e-6);
    link->request_done(100_kB, kStart, kStart + 2s);  // it waited for the other one
    EXPECT_EQ(link->rate_now(0_kB, kStart, kStart + 9s), link->throughput()) << "only complete answers count";
  }
  EXPECT_NEAR(kilobits(of_requests), 600, 1e-6) << "800 and 400";
  EXPECT_NEAR(kilobits(of_turns), 800, 1e-6);
  of_turns.request_done(100_kB, kStart + 2s, kStart + 2500ms);
  EXPECT_NEAR(kilobits(of_turns), 1200, 1e-6) << "800 and 1600";
}

TEST(SubsegmentTimes, ABurstAfterALossIsNoJumpOfTheEstimate) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  // The first of these waited for a packet that was sent again; all behind it had arrived, and came with it.
  link.request_done(100_kB, kStart, kStart + 3s);
  link.request_done(100_kB, kStart, kStart + 3s + 1us);
  EXPECT_NEAR(kilobits(link), 1067, 1);  // 800 would be right, 400'000 is what it looks like
}

TEST(SubsegmentTimes, APipelinedRequestIsMeasuredFromTheEndOfTheOneBefore) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 100ms, kStart + 2s);  // waited 0.9 s behind the first
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(SubsegmentTimes, ARequestThatFoundTheLinkIdleIsMeasuredFromItsSending) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(100_kB, kStart + 9s, kStart + 10s);  // 8 s of silence are not in it
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(SubsegmentTimes, AFewBytesInTheSamePacketAreNoMeasurement) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(1_kB, kStart, kStart + 1s + 1us);  // 8 Gbit/s, if it were one
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.request_done(99_kB, kStart, kStart + 2s);  // measured with the few bytes before: 100 kB in 1 s
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(SubsegmentTimes, ALinkThatCrawledIsKnownAgainByTheFirstRequestThatDoesNot) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.request_done(10_kB, kStart + 1s, kStart + 9s);
  EXPECT_NEAR(kilobits(link), 2 / (1 / 800.0 + 1 / 10.0), 1);  // one in the middle of the crawl
  link.request_done(10_kB, kStart + 9s, kStart + 17s);
  EXPECT_LT(kilobits(link), 20);
  link.request_done(10_kB, kStart + 17s, kStart + 17300ms);  // most of that is a round trip
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.request_done(100_kB, kStart + 18s, kStart + 20s);  // and so it goes on
  EXPECT_NEAR(kilobits(link), 533, 1);
}

TEST(SubsegmentTimes, ANewConnectionIsNotMeasuredWhileItIsMade) {
  SubsegmentTimes link;
  link.request_done(100_kB, kStart, kStart + 1s);
  link.connection_lost();
  link.response_began(kStart + 5s);
  link.request_done(100_kB, kStart + 4s, kStart + 6s);
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.response_began(kStart + 8s);  // over the same one: its round trip counts, as the thesis wants it
  link.request_done(100_kB, kStart + 7s, kStart + 9s);
  EXPECT_NEAR(kilobits(link), 533, 1);
}

TEST(BusyRate, KnowsNothingBeforeSomethingWasMeasured) {
  BusyRate link;
  link.request_done(9_kB, kStart, kStart + 900ms);
  EXPECT_FALSE(link.throughput());
  link.request_done(16_kB, kStart + 900ms, kStart + 2500ms);
  EXPECT_NEAR(kilobits(link), 80, 1e-6);
}

TEST(BusyRate, ASecondIsEnoughToMeasureALinkThatCrawls) {
  BusyRate link;
  link.request_done(1_kB, kStart, kStart + 1s);
  EXPECT_NEAR(kilobits(link), 8, 1e-6);
}

TEST(BusyRate, TheWaitForTheFirstByteIsNotInIt) {
  BusyRate link;
  link.response_began(kStart + 300ms);
  link.request_done(100_kB, kStart, kStart + 1300ms);
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
  link.response_began(kStart + 9300ms);  // after silence and a wait
  link.request_done(100_kB, kStart + 9s, kStart + 10300ms);
  EXPECT_NEAR(kilobits(link), 800, 1e-6);
}

TEST(BusyRate, ALinkWhoseAnswersAreThereInOneMomentCarriesAtLeastWhatCameInTheWait) {
  BusyRate link;
  const auto answer = [&](TimePoint sent, TimePoint came) {
    link.response_began(came);
    link.received(50_kB, sent, came);
    link.request_done(50_kB, sent, came);
  };
  answer(kStart, kStart + 1ms);
  EXPECT_NEAR(kilobits(link), 400'000, 1);
  answer(kStart, kStart + 2ms);            // pipelined: a millisecond behind the first
  answer(kStart + 9s, kStart + 9s + 1ms);  // the link was idle before
  EXPECT_NEAR(kilobits(link), 400'000, 1);
  EXPECT_NEAR(link.dependable_rate({}, kStart + 9s + 1ms, kStart + 9s + 1ms)->kilobits_per_second(), 400'000, 1);
}

TEST(BusyRate, DoesNotDependOnHowTheBytesAreDividedIntoRequests) {
  BusyRate large, small;
  large.request_done(100_kB, kStart, kStart + 1s);
  large.request_done(100_kB, kStart, kStart + 3s);
  for (int i = 1; i <= 10; ++i) small.request_done(10_kB, kStart, kStart + i * 100ms);
  for (int i = 1; i <= 10; ++i) small.request_done(10_kB, kStart, kStart + 1s + i * 200ms);
  EXPECT_NEAR(kilobits(large), kilobits(small), 1);
}

TEST(BusyRate, WhatIsLongAgoIsForgotten) {
  BusyRate link;
  link.request_done(1000_kB, kStart, kStart + 1s);
  link.request_done(50_kB, kStart + 1s, kStart + 1500ms);
  EXPECT_GT(kilobits(link), 2 * 800);
  link.request_done(200_kB, kStart + 1500ms, kStart + 3500ms);
  EXPECT_NEAR(kilobits(link), 800, 80);
}

TEST(BusyRate, AnAnswerThatDoesNotComeLowersTheRateOfNow) {
  BusyRate link;
  link.request_done(100_kB, kStart, kStart + 1s);
  EXPECT_NEAR(link.rate_now(100_kB, kStart, kStart + 2s)->kilobits_per_second(), 800, 1e-6);
  EXPECT_LT(link.rate_now(0_B, kStart, kStart + 2s)->kilobits_per_second(), 150);
}

TEST(BusyRate, IsNeverMoreThanWhatItIsSaidNotToExceed) {
  BusyRate link;
  const auto rate = [&](DataSize received, Duration in) {
    return link.rate_now(received, kStart + 1s, kStart + 1s + in).value();
  };
  const auto most = [&](DataSize received, Duration in) {
    return link.most_now(received, kStart + 1s, kStart + 1s + in).value();
  };
  link.request_done(1000_kB, kStart, kStart + 1s);
  for (const DataSize received : {0_kB, 1_kB, 50_kB, 500_kB}) {
    for (const Duration in : std::initializer_list<Duration>{0ms, 1ms, 30ms, 900ms, 5s})
      EXPECT_LE(rate(received, in), most(received, in));
  }
  EXPECT_LT(most(1000_kB, 1s), 1.01 * rate(1000_kB, 1s));  // as fast as before: both say so
}

TEST(LeastRoundTrip, IsThatOfTheLastWhile) {
  LeastRoundTrip least;
  EXPECT_EQ(least.value(), 0s);
  least.sample(50ms, kStart);
  least.sample(300ms, kStart + 10s);
  EXPECT_EQ(least.value(), 50ms);
  least.sample(200ms, kStart + 25s);
  EXPECT_EQ(least.value(), 50ms) << "not yet long ago";
  least.sample(250ms, kStart + 50s);
  EXPECT_EQ(least.value(), 200ms);
}

TEST(BusyRate, AnAnswerThatTakesLongIsMeasuredAsItComes) {
  const auto link = make_estimator(SubsegmentApproach::kBalanced, LinkTiming::kOurs);
  link->request_done(100_kB, kStart, kStart + 1s);
  TimePoint at = kStart + 1s;
  DataSize received;
  const auto comes = [&](DataSize size, Duration took) {
    at += took;
    link->received(size, kStart + 1s, at);
    received += size;
  };
  for (int i = 0; i < 50; ++i) comes(10_B, 100ms);  // it crawls
  EXPECT_LT(*link->rate_now(received, kStart + 1s, at), 10_kbps);
  for (int i = 0; i < 40; ++i) comes(1_kB, 10ms);  // and is as it was
  EXPECT_GT(*link->rate_now(received, kStart + 1s, at), 300_kbps);
  link->request_done(received, kStart + 1s, at);
  EXPECT_GT(*link->throughput(), 300_kbps);
  EXPECT_LE(*link->throughput(), 800_kbps);
}

}  // namespace
}  // namespace tributary
