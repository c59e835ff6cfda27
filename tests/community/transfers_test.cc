// Figures 3 to 6 of MC² (docs/community.md): one connection of TCP over links of 115.2 kb/s.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "community/community_run.hh"
#include "links_over_time.hh"

namespace tributary::community {
namespace {

using testing::transient_links;

const std::string kLink = "115.2kbps 100ms, queue 50";
const std::string kByTurns[] = {"round-robin", "surplus-round-robin"};
constexpr int kCycle = 20, kStarts = 5;

double kbit_s(const std::string& scheduler, const std::string& more, const std::vector<LinkScenario>& links) {
  const std::string text = fmt::format("{}, file 1MB, packet 1000B, headers 60B, {}", scheduler, more);
  return run(parse_experiment(text), links, 1).transfer->rate().kilobits_per_second();
}

double of_members(const std::string& scheduler, int members, const std::string& window) {
  return kbit_s(scheduler, "window " + window, transient_links(kLink, members, 0, 1, 1, 0));
}

/// The mean over files that begin everywhere in a cycle.
double with_transient(const std::string& scheduler, int persistent, int transient, int up, int cycle,
                      const std::string& told = "0s") {
  const auto links = transient_links(kLink, persistent, transient, up, cycle, 1000);
  double sum = 0;
  for (int start = 0; start < kStarts; ++start)
    sum += kbit_s(scheduler, fmt::format("window 64kB, told {}, from {}s", told, 100 + cycle * start / double{kStarts}),
                  links);
  return sum / kStarts;
}

/// Figure 3: 16 kB are what six links hold at 100 ms and a packet's 74 ms.
TEST(Transfers, GrowWithTheMembersUpToTheReceiversWindow) {
  for (const std::string& scheduler : kByTurns) {
    const double one = of_members(scheduler, 1, "16kB");
    EXPECT_NEAR(one, 103.2, 7) << scheduler;
    for (const int members : {2, 4, 6})
      EXPECT_GE(of_members(scheduler, members, "16kB"), 0.9 * members * one) << scheduler;
    EXPECT_LT(of_members(scheduler, 8, "16kB"), 0.85 * 8 * one) << scheduler;
    EXPECT_NEAR(of_members(scheduler, 14, "16kB") / of_members(scheduler, 8, "16kB"), 1, 0.02) << scheduler;
    EXPECT_GE(of_members(scheduler, 10, "64kB"), 0.9 * 10 * one) << scheduler;
  }
}

TEST(Transfers, AreSlowerWhenPacketsOvertakeEachOtherByChance) {
  for (const int members : {4, 8, 14})
    EXPECT_LT(of_members("random", members, "16kB"), 0.7 * of_members("round-robin", members, "16kB")) << members;
}

/// Figures 4 and 5, for duties of 0 to 100 %.
TEST(Transfers, GrowWithTheTimeThatALinkIsThere) {
  for (const std::string& scheduler : kByTurns) {
    const double one = of_members(scheduler, 1, "64kB");
    for (const int transient : {1, 2}) {
      std::vector<double> rates;
      for (const int up : {0, 5, 10, 15, 20})
        rates.push_back(with_transient(scheduler, 4 - transient, transient, up, kCycle));
      EXPECT_TRUE(std::ranges::is_sorted(rates)) << scheduler << ", " << transient;
      EXPECT_NEAR(rates.front() / one, 4 - transient, 0.1) << scheduler;
      EXPECT_NEAR(rates.back() / one, 4, 0.1) << scheduler;
    }
  }
}

/// Figure 6: what a link brings that is there half of the time depends a little on how long it stays.
TEST(Transfers, GainMoreOfALinkThatStaysLonger) {
  const double shortest = with_transient("round-robin", 1, 1, 1, 2),
               longest = with_transient("round-robin", 1, 1, 5, 10);
  EXPECT_GT(longest, shortest);
  EXPECT_GT(shortest, of_members("round-robin", 1, "64kB"));
  EXPECT_LT(longest, 154.8);
}

/// What a leave costs that is not announced: with a second until the proxy knows, a link that stays for a second does harm.
TEST(Transfers, SufferFromLinksThatGoUnannounced) {
  const double one = of_members("round-robin", 1, "64kB");
  EXPECT_LT(with_transient("round-robin", 1, 1, 1, 2, "1s"), 0.7 * one);
  EXPECT_GT(with_transient("round-robin", 1, 1, 5, 10, "1s"), one);
}

/// The text: by turns, the slowest link decides. With our sender, credit by rate brings less than half of the sum.
TEST(Transfers, OverUnequalLinksBringLess) {
  const auto links = parse_scenario("a 128kbps 100ms; b 64kbps 100ms; c 32kbps 100ms; d 16kbps 100ms");
  for (const char* scheduler : {"random", "round-robin"})
    EXPECT_LE(kbit_s(scheduler, "window 64kB", links), 64) << scheduler;
  EXPECT_LT(kbit_s("surplus-round-robin", "window 64kB", links), 120);
}

TEST(Transfers, EndWhenTheTimeIsOver) {
  const Figures figures = run(parse_experiment("round-robin, file 1MB, for 10s"), parse_scenario("a 80kbps 20ms"), 1);
  EXPECT_EQ(figures.transfer->took, std::chrono::seconds{10});
  EXPECT_NEAR(figures.transfer->came.kilobytes(), 100, 5);
}

}  // namespace
}  // namespace tributary::community
