// One connection of TCP over two and three links in virtual time: what the sender gets that knows nothing of them.
#include "splitter/simulated_transfer.hh"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/sweep.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

/// Table 6.1 of TKN-12-001: links of 1.544 Mbit/s. RTT 1 is 40 ms, and those after it are longer by the difference each. The way back is
/// that of the first link, 20 ms; so a link of the scenario has 2 (RTT - 20 ms).
std::string links_of(int links, int difference, int queue) {
  std::string scenario;
  for (int i = 0; i < links; ++i) {
    scenario += fmt::format("{}{} 1.544Mbps {}ms, queue {}", i == 0 ? "" : "; ", static_cast<char>('a' + i),
                            2 * (20 + i * difference), queue);
  }
  return scenario;
}

DataRate goodput(const char* processor, int links, int difference, int queue = 64) {
  const std::vector<LinkScenario> scenario = parse_scenario(links_of(links, difference, queue));
  return SimulatedTransfer{scenario, processor, 1}.run(150s).goodput;
}

double gain(const char* processor, int links, int difference, int queue = 64) {
  return goodput(processor, links, difference, queue) / goodput("round-robin", 1, 0, queue);
}

TEST(SimulatedTransfer, FillsOneLink) {
  EXPECT_NEAR(goodput("round-robin", 1, 0).kilobits_per_second(), 1544. * 1460 / 1514, 15);
}

TEST(SimulatedTransfer, TheScenarioHasTheRoundTripsOfTheTable) {
  EXPECT_EQ(round_trips_of(parse_scenario(links_of(3, 160, 64))), (std::vector<Duration>{40ms, 200ms, 360ms}));
}

struct OfDifference : ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Table61, OfDifference, ::testing::Values(0, 40, 80, 120, 160));

TEST_P(OfDifference, InTurnIsWorseThanOneLinkWhereTheDelaysDiffer) {
  for (const int links : {2, 3}) {
    const double gained = gain("round-robin", links, GetParam());
    if (GetParam() == 0) {
      EXPECT_GT(gained, 0.95 * links);
    } else {
      EXPECT_LT(gained, 1.0) << links;
    }
  }
}

TEST_P(OfDifference, WithTheFilterTheLinksAddUp) {
  for (const int queue : testing::of_sweep<int>(1, {64, 32})) {
    EXPECT_GE(gain("dupack-filter", 2, GetParam(), queue), 1.6) << queue;
    EXPECT_GE(gain("dupack-filter", 3, GetParam(), queue), 2.1) << queue;
  }
}

TEST(SimulatedTransfer, AFilterDropsWhatTheSenderWouldTakeForLosses) {
  const std::vector<LinkScenario> scenario = parse_scenario(links_of(2, 80, 64));
  const auto outcome_of = [&](const char* processor) { return SimulatedTransfer{scenario, processor, 1}.run(60s); };
  const auto in_turn = outcome_of("round-robin"), filtered = outcome_of("dupack-filter");
  EXPECT_EQ(in_turn.dropped_acknowledgments, 0U);
  EXPECT_EQ(in_turn.lost, 0U);
  EXPECT_GT(in_turn.retransmissions, 100U);
  EXPECT_GT(filtered.dropped_acknowledgments, 1000U);
}

TEST(SimulatedTransfer, NoLinkIsRefused) {
  EXPECT_THROW(SimulatedTransfer({}, "round-robin", 1), std::invalid_argument);
}

}  // namespace
}  // namespace tributary
