#include <gtest/gtest.h>

#include <stdexcept>

#include "bonding/scheduling/earliest_delivery.hh"
#include "bonding/scheduling/free_window.hh"
#include "bonding/scheduling/handover_rule.hh"
#include "bonding/scheduling/one_path.hh"
#include "bonding/scheduling/prism.hh"
#include "bonding/scheduling/round_robin.hh"
#include "bonding/scheduling/send_vector.hh"
#include "bonding/scheduling/weighted_round_robin.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kAt{100s};
constexpr NextPacket kNext{.size = 1000_B, .flow = Flow{1}, .backlog = 1000_B};

/// A window of packets, some of which are taken.
PathView windowed(std::uint8_t id, double window, std::size_t in_flight) {
  PathView view{.id = static_cast<PathId>(id), .window = window, .in_flight = {in_flight, {}}, .opens_at = {}};
  if (static_cast<double>(in_flight) + 1 <= window) view.opens_at = kAt;
  return view;
}

PathView rated(std::uint8_t id, DataRate rate, Duration round_trip, DataSize in_flight = {}) {
  return {.id = static_cast<PathId>(id),
          .window = 10,
          .in_flight = {1, in_flight},
          .opens_at = kAt,
          .rate = rate,
          .least_delay = round_trip};
}

/// The ids that are chosen one after the other.
std::string chosen_in_turn(PathScheduler& scheduler, const std::vector<PathView>& paths, int count) {
  std::string ids;
  for (int i = 0; i < count; ++i) {
    const auto path = scheduler.choose(kNext, paths, kAt);
    ids += path ? std::to_string(to_index(*path)) : "-";
    if (path) scheduler.chosen(*path, kNext);
  }
  return ids;
}

/// Thesis figure 5.4.
TEST(Prism, ComparesUtilisationsOverAllWindows) {
  const std::vector paths{windowed(1, 4, 3), windowed(2, 2, 1)};
  EXPECT_DOUBLE_EQ(Prism::utilisation(paths[0], 6), 4.5);  // 3 / (4 / 6)
  EXPECT_DOUBLE_EQ(Prism::utilisation(paths[1], 6), 3);    // 1 / (2 / 6)
  Prism prism;
  EXPECT_EQ(prism.choose(kNext, paths, kAt), PathId{2});                                     // packet A
  EXPECT_EQ(prism.choose(kNext, std::vector{paths[0], windowed(2, 2, 2)}, kAt), PathId{1});  // packet B
}

TEST(Prism, TakesNoneWhenAllWindowsAreFull) {
  EXPECT_FALSE(Prism{}.choose(kNext, std::vector{windowed(1, 4, 4), windowed(2, 2, 2)}, kAt));
  EXPECT_FALSE(Prism{}.choose(kNext, {}, kAt));
}

TEST(Prism, AmongEqualsTakesTheLeastRecentlyUsed) {
  std::vector paths{windowed(1, 4, 2), windowed(2, 4, 2)};
  paths[0].last_used = TimePoint{2s};
  paths[1].last_used = TimePoint{1s};
  EXPECT_EQ(Prism{}.choose(kNext, paths, kAt), PathId{2});
}

TEST(FreeWindow, TakesTheWindowWithTheMostFreePackets) {
  EXPECT_EQ(FreeWindow{}.choose(kNext, std::vector{windowed(1, 10, 7), windowed(2, 4, 0)}, kAt), PathId{2});
  EXPECT_EQ(FreeWindow{}.choose(kNext, std::vector{windowed(1, 10, 5), windowed(2, 4, 0)}, kAt), PathId{1});
  EXPECT_FALSE(FreeWindow{}.choose(kNext, std::vector{windowed(1, 4, 4)}, kAt));
}

TEST(RoundRobin, TakesTurnsAlsoWhenPathsComeAndGo) {
  RoundRobin turns;
  const std::vector three{windowed(1, 4, 4), windowed(2, 4, 4), windowed(3, 4, 4)};
  EXPECT_EQ(chosen_in_turn(turns, three, 5), "12312");
  EXPECT_EQ(chosen_in_turn(turns, {three[0], three[2]}, 3), "313");
  EXPECT_FALSE(turns.choose(kNext, {}, kAt));
}

TEST(WeightedRoundRobin, SharesBytesByRates) {
  WeightedRoundRobin turns;
  const std::string ids = chosen_in_turn(turns, {rated(0, 6_Mbps, 0s), rated(1, 2_Mbps, 0s)}, 80);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), '0'), 60);
}

TEST(WeightedRoundRobin, AnUnknownRateIsTheMeanOfTheKnownOnes) {
  WeightedRoundRobin turns;
  std::vector paths{rated(0, 6_Mbps, 0s), rated(1, 2_Mbps, 0s), rated(2, 1_Mbps, 0s)};
  paths[2].rate.reset();
  const std::string ids = chosen_in_turn(turns, paths, 120);
  EXPECT_NEAR(static_cast<double>(std::count(ids.begin(), ids.end(), '2')), 40, 1);
}

/// Thesis Algorithm 5: r = round(n * w1 / (w0 + w1)) / n, and V(ceil(i / r)) is the second path for i = 1 to r * n.
TEST(SendVector, IsThatOfAlgorithm5) {
  EXPECT_EQ(send_vector(2, 1, 1), (std::vector{0, 1}));
  EXPECT_EQ(send_vector(10, 1, 1), (std::vector{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(send_vector(10, 8, 2), (std::vector{0, 0, 0, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(send_vector(10, 7, 3), (std::vector{0, 0, 0, 1, 0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(send_vector(10, 2, 8), (std::vector{0, 1, 1, 1, 1, 0, 1, 1, 1, 1}));  // ceil(i / .8): 2 3 4 5 7 8 9 10
  EXPECT_EQ(send_vector(4, 1, 0), (std::vector{0, 0, 0, 0}));
  EXPECT_EQ(send_vector(4, 0, 1), (std::vector{1, 1, 1, 1}));
  EXPECT_EQ(send_vector(3, 100, 1), (std::vector{0, 0, 0}));  // finite vectors lose small shares (thesis section 5.2.2)
}

TEST(SendVector, OfMorePathsIsMergedRecursively) {
  const auto vector_of = [](int length, std::vector<double> weights) { return send_vector(length, weights); };
  EXPECT_EQ(vector_of(3, {1, 1, 1}), (std::vector{0, 1, 2}));
  EXPECT_EQ(vector_of(4, {1}), (std::vector{0, 0, 0, 0}));
  const std::vector<int> ten = vector_of(10, {5, 3, 2});
  EXPECT_EQ(std::count(ten.begin(), ten.end(), 0), 5);
  EXPECT_EQ(std::count(ten.begin(), ten.end(), 1), 3);
  EXPECT_EQ(std::count(ten.begin(), ten.end(), 2), 2);
}

TEST(SendVector, BeginsAsRoundRobinAndFollowsRates) {
  SendVector scheduler;
  std::vector paths{rated(4, 6_Mbps, 0s), rated(7, 2_Mbps, 0s)};
  paths[0].rate.reset();
  paths[1].rate.reset();
  EXPECT_EQ(chosen_in_turn(scheduler, paths, 4), "4747");
  const std::string ids = chosen_in_turn(scheduler, {rated(4, 6_Mbps, 0s), rated(7, 2_Mbps, 0s)}, 20);
  EXPECT_EQ(std::count(ids.begin(), ids.end(), '7'), 5);
}

TEST(SendVector, RunsThroughWhileRatesVary) {
  SendVector scheduler;
  std::string ids;
  for (int i = 0; i < 200; ++i) {
    const DataRate a = DataRate::bits_per_second(9e6 + 1e4 * (i % 7));
    ids += chosen_in_turn(scheduler, {rated(4, a, 0s), rated(7, 1_Mbps, 0s)}, 1);
  }
  EXPECT_EQ(std::count(ids.begin(), ids.end(), '7'), 20);
}

TEST(EarliestDelivery, CountsQueueRateAndDelay) {
  // 1000 bytes at 8 Mbit/s: 1 ms; half of 20 ms.
  EXPECT_EQ(EarliestDelivery::delivered_at(rated(0, 8_Mbps, 20ms), 1_kB, kAt), kAt + 11ms);
  // 20 kB fill the path; what is beyond stands in a queue.
  EXPECT_EQ(EarliestDelivery::delivered_at(rated(0, 8_Mbps, 20ms, 20_kB), 1_kB, kAt), kAt + 11ms);
  EXPECT_EQ(EarliestDelivery::delivered_at(rated(0, 8_Mbps, 20ms, 25_kB), 1_kB, kAt), kAt + 16ms);
}

TEST(EarliestDelivery, TakesThePathThatDeliversFirst) {
  EarliestDelivery scheduler;
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 8_Mbps, 60ms), rated(1, 1_Mbps, 20ms)}, kAt), PathId{1});
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 8_Mbps, 60ms), rated(1, 1_Mbps, 20ms, 30_kB)}, kAt),
            PathId{0});
}

TEST(EarliestDelivery, WaitsForTheBestPathUntilMuchWaits) {
  EarliestDelivery scheduler;
  std::vector paths{rated(0, 8_Mbps, 20ms), rated(1, 8_Mbps, 100ms)};
  paths[0].opens_at = kAt + 2ms;
  NextPacket packet = kNext;
  EXPECT_FALSE(scheduler.choose(packet, paths, kAt));
  packet.backlog = 60_kB;  // takes 60 ms over the best path: longer than the other's delay
  EXPECT_EQ(scheduler.choose(packet, paths, kAt), PathId{1});
}

TEST(EarliestDelivery, AFlowStaysWhereItIsForALittleLonger) {
  EarliestDelivery scheduler;
  scheduler.chosen(PathId{1}, kNext);
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 8_Mbps, 20ms), rated(1, 8_Mbps, 24ms)}, kAt), PathId{1});
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 8_Mbps, 20ms), rated(1, 8_Mbps, 40ms)}, kAt), PathId{0});
  NextPacket other = kNext;
  other.flow = Flow{2};
  EXPECT_EQ(scheduler.choose(other, std::vector{rated(0, 8_Mbps, 20ms), rated(1, 8_Mbps, 24ms)}, kAt), PathId{0});
}

TEST(EarliestDelivery, LeavesAPathWhoseAnswersAreOverdue) {
  EarliestDelivery scheduler;
  std::vector paths{rated(0, 8_Mbps, 20ms), rated(1, 8_Mbps, 100ms)};
  paths[0].overdue = 60ms;
  EXPECT_EQ(scheduler.choose(kNext, paths, kAt), PathId{1});
}

PathQuality quality(std::uint8_t id, DataRate capacity, double loss = 0) {
  return {static_cast<PathId>(id), capacity, loss};
}

TEST(HandoverRule, ChangesWhenAnotherPathIsBetterForThreeSeconds) {
  HandoverRule rule;
  EXPECT_EQ(rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 4_Mbps)}, kAt), PathId{0});
  const std::vector better{quality(0, 5_Mbps), quality(1, 7_Mbps)};
  EXPECT_EQ(rule.decide(better, kAt + 1s), PathId{0});
  EXPECT_EQ(rule.decide(better, kAt + 3s), PathId{0});
  EXPECT_EQ(rule.decide(better, kAt + 4s), PathId{1});
}

TEST(HandoverRule, ALittleBetterOrForAMomentIsNotEnough) {
  HandoverRule rule;
  rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 4_Mbps)}, kAt);
  EXPECT_EQ(rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 6_Mbps)}, kAt + 1s), PathId{0});
  EXPECT_EQ(rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 6_Mbps)}, kAt + 9s), PathId{0});
  EXPECT_EQ(rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 9_Mbps)}, kAt + 10s), PathId{0});
  rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 5_Mbps)}, kAt + 11s);
  EXPECT_EQ(rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 9_Mbps)}, kAt + 13s), PathId{0});
}

TEST(HandoverRule, LossCountsAsMissingCapacity) {
  EXPECT_EQ(HandoverRule{}.decide(std::vector{quality(0, 6_Mbps, 0.5), quality(1, 4_Mbps)}, kAt), PathId{1});
}

TEST(HandoverRule, LeavesADeadPathAtOnce) {
  HandoverRule rule;
  rule.decide(std::vector{quality(0, 5_Mbps), quality(1, 4_Mbps)}, kAt);
  EXPECT_EQ(rule.decide(std::vector{quality(1, 4_Mbps)}, kAt), PathId{1});
  EXPECT_FALSE(rule.decide({}, kAt));
}

TEST(OnePath, LeavesAPathThatIsGoneAtOnce) {
  OnePath scheduler;
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 2_Mbps, 20ms), rated(1, 5_Mbps, 20ms)}, kAt), PathId{1});
  EXPECT_EQ(scheduler.choose(kNext, std::vector{rated(0, 2_Mbps, 20ms)}, kAt), PathId{0});
}

TEST(Schedulers, AreFoundByName) {
  EXPECT_EQ(scheduler_kind("prism").window, WindowKind::kCcid2);
  EXPECT_EQ(scheduler_kinds().front().name, "earliest-delivery");
  for (const SchedulerKind& kind : scheduler_kinds()) EXPECT_TRUE(kind.make(1));
  try {
    scheduler_kind("magic");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "scheduler \"magic\": expected earliest-delivery, prism, free-window, send-vector, wrr, round-robin, "
                 "one-path, random, surplus-round-robin, layer-priority, layer-priority-whole");
  }
}

}  // namespace
}  // namespace tributary::bonding
