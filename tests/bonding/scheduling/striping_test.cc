// The schedulers of MC²: random, surplus round robin, layers by priority.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "bonding/scheduling/layer_priority.hh"
#include "bonding/scheduling/random_path.hh"
#include "bonding/scheduling/surplus_round_robin.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr TimePoint kMoment{std::chrono::seconds{100}};

PathView lossy(std::uint8_t id, DataRate rate, double loss = 0) {
  PathView view{.id = static_cast<PathId>(id), .in_flight = {}, .opens_at = kMoment, .rate = rate, .least_delay = {}};
  view.loss = loss;
  return view;
}

std::vector<PathView> four_links() {
  return {lossy(0, 128_kbps), lossy(1, 64_kbps), lossy(2, 32_kbps), lossy(3, 16_kbps)};
}

/// Bytes on each path after these sizes in turn.
std::map<int, std::int64_t> bytes_by_path(PathScheduler& scheduler, const std::vector<PathView>& paths,
                                          const std::vector<DataSize>& sizes, int packets) {
  std::map<int, std::int64_t> bytes;
  for (int i = 0; i < packets; ++i) {
    const NextPacket packet{.size = sizes[static_cast<std::size_t>(i) % sizes.size()], .backlog = {}};
    const auto chosen = scheduler.choose(packet, paths, kMoment);
    if (!chosen) continue;
    scheduler.chosen(*chosen, packet);
    bytes[static_cast<int>(to_index(*chosen))] += packet.size.bytes();
  }
  return bytes;
}

TEST(SurplusRoundRobin, BytesFollowRatesWhateverTheSizes) {
  SurplusRoundRobin scheduler;
  const auto bytes = bytes_by_path(scheduler, four_links(), {1200_B, 300_B, 700_B}, 4500);
  const std::int64_t all = 4500 / 3 * 2200;
  for (const auto& [id, rate] : std::map<int, double>{{0, 128}, {1, 64}, {2, 32}, {3, 16}})
    EXPECT_NEAR(static_cast<double>(bytes.at(id)), static_cast<double>(all) * rate / 240, 2 * 1200) << id;
}

/// Credits of 1000 and 333 bytes: a path sends while it has any, and owes the rest of the packet.
TEST(SurplusRoundRobin, SendsBeyondTheCredit) {
  SurplusRoundRobin scheduler;
  const std::vector paths{lossy(0, 30_kbps), lossy(1, 10_kbps)};
  std::string ids;
  for (int i = 0; i < 10; ++i) ids += std::to_string(bytes_by_path(scheduler, paths, {1000_B}, 1).begin()->first);
  EXPECT_EQ(ids, "0100010001");
}

TEST(SurplusRoundRobin, AsksForTheSamePathUntilThePacketIsSent) {
  SurplusRoundRobin scheduler;
  const auto paths = four_links();
  const NextPacket packet{.size = 1000_B, .backlog = {}};
  const auto first = scheduler.choose(packet, paths, kMoment);
  EXPECT_EQ(scheduler.choose(packet, paths, kMoment), first);
}

TEST(SurplusRoundRobin, GoesOnWhenPathsComeAndGo) {
  SurplusRoundRobin scheduler;
  bytes_by_path(scheduler, four_links(), {1000_B}, 7);
  EXPECT_THAT(bytes_by_path(scheduler, {lossy(2, 32_kbps)}, {1000_B}, 3), ElementsAre(Pair(2, 3000)));
  EXPECT_FALSE(scheduler.choose({.size = 1000_B, .backlog = {}}, {}, kMoment));
}

TEST(RandomPath, ChoosesAllAlikeAndAgainTheSameWithTheSameSeed) {
  RandomPath scheduler{7}, again{7}, other{8};
  const auto bytes = bytes_by_path(scheduler, four_links(), {1000_B}, 4000);
  for (int id = 0; id < 4; ++id) EXPECT_NEAR(static_cast<double>(bytes.at(id)), 1e6, 1e5);
  EXPECT_EQ(bytes_by_path(again, four_links(), {1000_B}, 4000), bytes);
  EXPECT_NE(bytes_by_path(other, four_links(), {1000_B}, 4000), bytes);
  EXPECT_FALSE(scheduler.choose({.size = 1000_B, .backlog = {}}, {}, kMoment));
}

constexpr std::array<SubflowRate, 3> kLayers{{{Subflow{0}, 15_kbps}, {Subflow{1}, 15_kbps}, {Subflow{2}, 15_kbps}}};

/// Packets of a layer by path.
std::map<int, int> packets_of(LayerPriority& scheduler, Subflow layer, const std::vector<PathView>& paths) {
  std::map<int, int> packets;
  for (int i = 0; i < 300; ++i) {
    const NextPacket packet{.size = 500_B, .backlog = {}, .subflow = layer, .subflows = kLayers};
    const auto chosen = scheduler.choose(packet, paths, kMoment);
    if (!chosen) continue;
    scheduler.chosen(*chosen, packet);
    ++packets[static_cast<int>(to_index(*chosen))];
  }
  return packets;
}

TEST(LayerPriority, TheBaseLayerHasThePathThatLosesLeast) {
  LayerPriority scheduler{Sharing::kWhole};
  const std::vector paths{lossy(0, 20_kbps, 0.1), lossy(1, 20_kbps, 0.01), lossy(2, 20_kbps, 0.05)};
  EXPECT_THAT(packets_of(scheduler, Subflow{0}, paths), ElementsAre(Pair(1, 300)));
  EXPECT_THAT(packets_of(scheduler, Subflow{1}, paths), ElementsAre(Pair(2, 300)));
  EXPECT_THAT(packets_of(scheduler, Subflow{2}, paths), ElementsAre(Pair(0, 300)));
}

TEST(LayerPriority, SpillingDividesALayerByItsShares) {
  LayerPriority scheduler{Sharing::kSpill};
  const std::vector paths{lossy(0, 20_kbps, 0.01), lossy(1, 20_kbps, 0.05), lossy(2, 20_kbps, 0.1)};
  EXPECT_THAT(packets_of(scheduler, Subflow{1}, paths), ElementsAre(Pair(0, 100), Pair(1, 200)));
  EXPECT_THAT(packets_of(scheduler, Subflow{2}, paths), ElementsAre(Pair(1, 200), Pair(2, 100)));
}

TEST(LayerPriority, MovesUpAndDownAsPathsComeAndGo) {
  LayerPriority scheduler{Sharing::kWhole};
  const PathView best = lossy(2, 20_kbps, 0.01), second = lossy(0, 20_kbps, 0.05), third = lossy(1, 20_kbps, 0.1);
  EXPECT_THAT(packets_of(scheduler, Subflow{0}, {second, third}), ElementsAre(Pair(0, 300)));
  EXPECT_THAT(packets_of(scheduler, Subflow{0}, {second, third, best}), ElementsAre(Pair(2, 300)));
  EXPECT_THAT(packets_of(scheduler, Subflow{1}, {second, third, best}), ElementsAre(Pair(0, 300)));
  EXPECT_THAT(packets_of(scheduler, Subflow{1}, {second, third}), ElementsAre(Pair(1, 300)));
}

TEST(LayerPriority, SendsNoLayerThatDoesNotFit) {
  LayerPriority scheduler{Sharing::kWhole};
  const std::vector paths{lossy(0, 20_kbps, 0.01), lossy(1, 20_kbps, 0.05)};
  EXPECT_TRUE(packets_of(scheduler, Subflow{2}, paths).empty());
  EXPECT_THAT(packets_of(scheduler, Subflow{0}, paths), ElementsAre(Pair(0, 300)));
}

TEST(LayerPriority, UsesAllPathsUntilRatesAreKnown) {
  LayerPriority scheduler{Sharing::kWhole};
  std::vector paths{lossy(0, 20_kbps, 0.01), lossy(1, 20_kbps, 0.05)};
  for (PathView& view : paths) view.rate.reset();
  EXPECT_THAT(packets_of(scheduler, Subflow{2}, paths), ElementsAre(Pair(0, 150), Pair(1, 150)));
}

}  // namespace
}  // namespace tributary::bonding
