// Tables II, III and V to IX and figure 8 of MC² (docs/community.md), held against what follows from their set-ups.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "community/community_run.hh"
#include "links_over_time.hh"

namespace tributary::community {
namespace {

using testing::cycling_links;
using testing::lossy_links;

constexpr double kPercent = 100;
const std::string kAgnostic[] = {"random", "round-robin", "surplus-round-robin"};

/// Loss of each stream in percent.
std::vector<double> losses(const std::string& experiment, const std::vector<LinkScenario>& links,
                           std::uint64_t seed = 1) {
  std::vector<double> percent;
  for (const StreamCount& stream : run(parse_experiment(experiment), links, seed).streams)
    percent.push_back(kPercent * stream.loss());
  return percent;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_NEAR(found[i], expected[i], tolerance) << what << ", layer " << i;
}

/// Table II: 920 kb/s, and headers of 8 bytes for each 1040.
TEST(Streams, OfEightTimesALinkLoseWhatTheLinksDoNotCarry) {
  for (const int members : {1, 2, 4, 6, 8, 10}) {
    const double expected = std::max(0.0, kPercent * (1 - members * 115.2 / (920 * 1048. / 1040)));
    for (const std::string& scheduler : kAgnostic) {
      const char* length = members == 8 ? "3000s" : "1000s";  // where little is too much, queues fill slowly
      const auto found = losses(fmt::format("{}, stream 920kbps, packet 1040B, headers 8B, for {}", scheduler, length),
                                lossy_links("115.2kbps", std::vector<double>(static_cast<std::size_t>(members))));
      const bool full = members == 8 && scheduler == "random";  // its queues run empty and full by chance
      EXPECT_NEAR(found[0], expected, full ? 1 : 0.5) << scheduler << ", " << members;
    }
  }
}

/// Table III: 8 % of headers. By turns each link gets a quarter; by rates each loses as much.
TEST(Streams, OverUnequalLinksLoseLeastByRates) {
  const std::vector<LinkScenario> links = parse_scenario(
      "a 128kbps 20ms, queue 50; b 64kbps 20ms, queue 50; c 32kbps 20ms, queue 50; d 16kbps 20ms, queue 50");
  constexpr double kOffered = 256 * 1.08;
  for (const std::string& scheduler : kAgnostic) {
    const Figures figures =
        run(parse_experiment(scheduler + ", stream 256kbps, packet 250B, headers 20B, for 3000s"), links, 1);
    const bool by_rates = scheduler == "surplus-round-robin";
    double all = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const double rate = 128. / (1 << i), share = by_rates ? rate / 240 : 0.25;
      const double expected = std::max(0.0, 1 - rate / (kOffered * share));
      const LinkCount& link = figures.links[i];
      EXPECT_NEAR(kPercent * static_cast<double>(link.lost) / static_cast<double>(link.sent), kPercent * expected, 0.5)
          << scheduler << ", link " << i;
      all += share * expected;
    }
    EXPECT_NEAR(kPercent * figures.loss(), kPercent * all, 0.5) << scheduler;
  }
}

/// Table V.
TEST(Streams, WithChannelsToSpareTakeThoseThatLoseLeast) {
  std::vector<double> rates;
  for (int i = 1; i <= 10; ++i) rates.push_back(i / kPercent);
  const auto links = lossy_links("20kbps", rates);
  for (const std::string& scheduler : kAgnostic)
    EXPECT_NEAR(losses(scheduler + ", stream 30kbps, packet 250B, headers 20B, for 4000s", links)[0], 5.5, 0.4)
        << scheduler;
  for (const char* scheduler : {"layer-priority", "layer-priority-whole"})
    EXPECT_LE(losses(fmt::format("{}, stream 30kbps, packet 250B, headers 20B, for 4000s", scheduler), links)[0], 1.6);
}

std::string layers(const std::string& scheduler, const std::string& headers = "0B") {
  return fmt::format("{}, stream 15kbps, stream 15kbps, stream 15kbps, packet 250B, headers {}, for 3000s", scheduler,
                     headers);
}

/// Table VI.
TEST(Layers, HaveALinkEachByTheirPriority) {
  const auto links = lossy_links("20kbps", {0.01, 0.05, 0.1});
  expect_near(losses(layers("layer-priority-whole"), links), {1, 5, 10}, 0.5, "whole");
  expect_near(losses(layers("layer-priority"), links), {1, 3.7, 6.7}, 0.5, "spill");
  expect_near(losses(layers("random"), links), {5.33, 5.33, 5.33}, 0.7, "random");
}

/// Table VI by turns: three layers and three links, so each layer has one link, and which one is chance.
TEST(Layers, ByTurnsAreTiedToLinksByChance) {
  for (const std::string& scheduler : {kAgnostic[1], kAgnostic[2]}) {
    auto found = losses(layers(scheduler), lossy_links("20kbps", {0.01, 0.05, 0.1}));
    std::ranges::sort(found);
    expect_near(found, {1, 5, 10}, 0.7, scheduler + ", sorted");
  }
}

/// Table VII.
TEST(Layers, WithoutALinkAreNotSent) {
  const auto links = lossy_links("20kbps", {0.01, 0.05});
  expect_near(losses(layers("layer-priority-whole", "20B"), links), {1, 5, 100}, 0.5, "whole");
  const double agnostic = kPercent * (1 - 40 / (45 * 1.08) * 0.97);
  for (const std::string& scheduler : {kAgnostic[0], kAgnostic[2]})
    expect_near(losses(layers(scheduler, "20B"), links), {agnostic, agnostic, agnostic}, 2, scheduler);
}

/// Table VIII.
TEST(Layers, MoveToTheLinksThatAreBetterNow) {
  const auto links = cycling_links("20kbps", 3, {{0.01, 100}, {0.1, 50}}, 50, 3000);
  expect_near(losses(layers("layer-priority-whole"), links), {1, 1, 10}, 0.5, "whole");
  for (const std::string& scheduler : kAgnostic)
    expect_near(losses(layers(scheduler), links), {4, 4, 4}, 0.7, scheduler);
}

/// Table IX, as its text has it: 1 and 10 %. Its numbers are those of 1 and 5 %.
TEST(Layers, OfLinksThatChangeAndDoNotSuffice) {
  for (const double worse : {0.1, 0.05}) {
    const auto links = cycling_links("20kbps", 2, {{0.01, 50}, {worse, 50}}, 50, 3000);
    expect_near(losses(layers("layer-priority-whole"), links), {1, kPercent * worse, 100}, 0.5, "whole");
  }
}

/// Figure 8: for d seconds after each change, every layer has the link that it had before.
TEST(Layers, LoseMoreTheOlderWhatTheProxyKnows) {
  const auto links = cycling_links("22kbps", 3, {{0.01, 50}, {0.05, 50}, {0.1, 50}}, 50, 3000);
  const auto found = [&](int told) {
    return losses(
        fmt::format("layer-priority-whole, stream 20kbps, stream 20kbps, stream 20kbps, packet 250B, headers 20B, "
                    "told {}s, for 3000s",
                    told),
        links);
  };
  for (const int told : {0, 5, 10, 20, 40})
    expect_near(found(told), {1 + 0.08 * told, 5 + 0.1 * told, 10 - 0.18 * told}, 0.5, fmt::format("{} s", told));
  const auto at16 = found(16), at20 = found(20);
  EXPECT_LT(at16[1], at16[2]);
  EXPECT_GT(at20[1], at20[2]);
}

TEST(Jitter, OfAStreamThatIsNotDelayedIsNone) {
  const Figures figures =
      run(parse_experiment("round-robin, stream 20kbps, packet 250B"), parse_scenario("a 1Mbps 20ms"), 1);
  EXPECT_EQ(figures.streams[0].jitter_s, 0);
  EXPECT_EQ(figures.loss(), 0);
}

/// Two links whose delays differ by 30 ms, in turn: every packet is 30 ms sooner or later than the one before.
TEST(Jitter, IsTheMeanDifferenceOfTransitTimes) {
  const Figures figures =
      run(parse_experiment("round-robin, stream 20kbps, packet 250B"), parse_scenario("a 1Mbps 20ms; b 1Mbps 80ms"), 1);
  EXPECT_NEAR(figures.streams[0].jitter_s, 0.030, 0.0005);
}

}  // namespace
}  // namespace tributary::community
