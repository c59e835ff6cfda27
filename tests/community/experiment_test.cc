#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "community/community_run.hh"

namespace tributary::community {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Experiment, IsReadFromText) {
  const Experiment streams = parse_experiment(
      "layer-priority, stream 15kbps, stream 20kbps,packet 250B , headers 20B, told 5s, from 1s, for 2min");
  EXPECT_EQ(streams.scheduler, "layer-priority");
  EXPECT_THAT(streams.streams, ElementsAre(15_kbps, 20_kbps));
  EXPECT_EQ(streams.packet, 250_B);
  EXPECT_EQ(streams.headers, 20_B);
  EXPECT_EQ(streams.told, 5s);
  EXPECT_EQ(streams.from, TimePoint{1s});
  EXPECT_EQ(streams.length, 2min);
  const Experiment file = parse_experiment("random, file 1MB, window 64kB");
  EXPECT_EQ(file.file, 1_MB);
  EXPECT_EQ(file.window, 64_kB);
}

TEST(Experiment, WhatIsWrongIsQuoted) {
  const auto refused = [](const char* text) -> std::string {
    try {
      parse_experiment(text);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(refused("magic, stream 1kbps"), HasSubstr("\"magic\": expected earliest-delivery"));
  EXPECT_THAT(refused("random, steam 1kbps"), HasSubstr("\"steam 1kbps\": expected stream RATE"));
  EXPECT_THAT(refused("random, stream"), HasSubstr("\"stream\""));
  EXPECT_THAT(refused("random, stream 1kbps,"), HasSubstr("\"\": expected stream RATE"));
  EXPECT_THAT(refused("random, stream fast"), HasSubstr("\"fast\""));
  EXPECT_THAT(refused("random, stream 0"), HasSubstr("a rate above 0"));
  EXPECT_THAT(refused("random, stream 1kbps, packet 0B"), HasSubstr("a packet of 1 to"));
  EXPECT_THAT(refused("random, file 0B"), HasSubstr("at least a byte"));
  EXPECT_THAT(refused("random, stream 1kbps, for 0s"), HasSubstr("a time above 0"));
  EXPECT_THAT(refused("random"), HasSubstr("expected streams or a file"));
  EXPECT_THAT(refused("random, file 1MB, stream 1kbps"), HasSubstr("expected streams or a file"));
  std::string many = "random";
  for (int i = 0; i < 33; ++i) many += ", stream 1kbps";
  EXPECT_THAT(refused(many.c_str()), HasSubstr("at most 32 streams"));
}

TEST(Experiment, NeedsAsManyLinksAsATunnelCanHave) {
  const Experiment experiment = parse_experiment("random, stream 1kbps");
  EXPECT_THROW(run(experiment, {}, 1), std::invalid_argument);
  EXPECT_THROW(run(experiment, std::vector<LinkScenario>(17, parse_scenario("a 1Mbps 1ms").front()), 1),
               std::invalid_argument);
}

TEST(Experiment, TheSameSeedGivesTheSameFigures) {
  const auto links = parse_scenario("a 20kbps 20ms, loss 5%; b 20kbps 20ms, loss 1%");
  const auto came = [&](std::uint64_t seed) {
    return run(parse_experiment("random, stream 30kbps, packet 250B"), links, seed).streams[0].came;
  };
  EXPECT_EQ(came(1), came(1));
  EXPECT_NE(came(1), came(2));
}

}  // namespace
}  // namespace tributary::community
