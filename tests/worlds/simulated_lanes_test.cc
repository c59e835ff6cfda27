#include <gtest/gtest.h>

#include <algorithm>

#include "core/links/lane_count.hh"
#include "support/simulated_run.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::SimulatedRun;

/// Downloads as much as a link of 10 Mbit/s carries in 20 s.
struct Download {
  Download(std::uint32_t connections, const std::string& links, std::uint64_t seed = 1)
      : run{testing::constant_table(32, {750_kB}), options(connections), links, seed} {}

  static SessionOptions options(std::uint32_t connections) {
    SessionOptions o;
    o.mode = StreamingMode::kDownload;
    o.start = StartRule::kFast;
    o.adaptation = "fixed:low";
    o.buffer_segments = 8;
    o.connections = connections;
    return o;
  }
  std::uint32_t connections() const {
    std::uint32_t all = 0;
    for (const auto& [_, link] : run.record.links()) all += link.most_connections;
    return all;
  }
  double seconds() const { return to_seconds(run.record.now() - TimePoint{}); }

  SimulatedRun run;
};

TEST(SimulatedLanes, ALinkThatOneConnectionFillsCarriesOne) {
  for (const char* link :
       {"a 12Mbps 20ms, queue 100", "a 5Mbps 20ms, queue 100", "a 50Mbps 20ms, queue 200", "a 10Mbps 300ms, queue 250"})
    EXPECT_EQ(Download(0, link).connections(), 1U) << link;
}

TEST(SimulatedLanes, FillALinkThatLosesPackets) {
  for (const char* link : {"a 10Mbps 100ms, loss 0.5%, queue 100", "a 20Mbps 20ms, loss 1%, queue 100",
                           "a 10Mbps 300ms, loss 0.1%, queue 250"}) {
    double one = 0, all = 0, by_need = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      one += Download(1, link, seed).seconds();
      all += Download(LaneCount::kMost, link, seed).seconds();
      by_need += Download(0, link, seed).seconds();
    }
    EXPECT_LT(by_need, 1.15 * all) << link;
    EXPECT_LT(1.3 * by_need, one) << link;
  }
}

TEST(SimulatedLanes, AreNoMoreThanSixOverAllLinks) {
  const Download lossy{0, "a 10Mbps 100ms, loss 1%; b 10Mbps 60ms, loss 1%; c 10Mbps 80ms, loss 1%"};
  EXPECT_LE(lossy.connections(), LaneCount::kMost);
  EXPECT_GT(lossy.connections(), 3U);
}

TEST(SimulatedLanes, ShareTheRateOfTheirLink) {
  const Download two{2, "a 10Mbps 20ms, queue 64"};
  constexpr double kContentOfAFrame = 1448.0 / 1514.0;
  EXPECT_NEAR(two.run.summary.throughput_kbit_s / (10'000 * kContentOfAFrame), 1, 0.03);
}

}  // namespace
}  // namespace tributary
