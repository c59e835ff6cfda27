#include "core/subsegments/subsegment_planner.hh"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "core/subsegments/byte_window.hh"
#include "support/link_ids.hh"

namespace tributary {
namespace {

using testing::kA;
using testing::kB;
using testing::kC;
using namespace literals;

/// Asks for subsegments over the links in turn until the segment is used up.
std::vector<DataSize> cut(SubsegmentPlanner& planner, DataSize segment, const std::vector<LinkEstimate>& links) {
  std::vector<DataSize> sizes;
  planner.segment_started();
  for (std::size_t i = 0; segment > 0_B; ++i) {
    const DataSize size = planner.next_size(segment, links[i % links.size()].link, links);
    planner.taken(size);
    sizes.push_back(size);
    segment -= size;
  }
  return sizes;
}

TEST(StaticSubsegments, AreAllTheSameButTheLast) {
  const auto planner = make_planner(SubsegmentApproach::kStatic, 100_kB);
  EXPECT_EQ(cut(*planner, 350_kB, {{kA, 9_Mbps}, {kB, 1_Mbps}}), (std::vector{100_kB, 100_kB, 100_kB, 50_kB}));
}

TEST(DynamicSubsegments, ALinkGetsOfABlockWhatItsThroughputIsOfAll) {
  // The example of thesis figure 4.18: two links, 3:2, blocks of 200 kB.
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  EXPECT_EQ(cut(*planner, 400_kB, {{kA, 3_Mbps}, {kB, 2_Mbps}}), (std::vector{120_kB, 80_kB, 120_kB, 80_kB}));
}

TEST(DynamicSubsegments, BlocksGrowWithTheNumberOfLinks) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  EXPECT_EQ(cut(*planner, 300_kB, {{kA, 3_Mbps}, {kB, 2_Mbps}, {kC, 1_Mbps}}), (std::vector{150_kB, 100_kB, 50_kB}));
}

TEST(DynamicSubsegments, WithoutMeasurementAllLinksAreEqual) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  EXPECT_EQ(cut(*planner, 250_kB, {{kA, {}}, {kB, {}}}), (std::vector{100_kB, 100_kB, 25_kB, 25_kB}));
}

TEST(DynamicSubsegments, ALinkThatHasJustJoinedCountsAsAnAverageOne) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  planner->segment_started();
  EXPECT_EQ(planner->next_size(1000_kB, kC, std::vector<LinkEstimate>{{kA, 4_Mbps}, {kB, 2_Mbps}, {kC, {}}}), 100_kB);
}

TEST(DynamicSubsegments, AreCutWhereTheBlockAndTheSegmentEnd) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  const std::vector<LinkEstimate> links{{kA, 3_Mbps}, {kB, 1_Mbps}};
  planner->segment_started();
  EXPECT_EQ(planner->next_size(500_kB, kA, links), 150_kB);
  planner->taken(150_kB);
  EXPECT_EQ(planner->next_size(350_kB, kA, links),
            50_kB);  // asks again before the other link: the rest of the block
  planner->taken(50_kB);
  EXPECT_EQ(planner->next_size(120_kB, kA, links), 90_kB);  // the segment ends here: the last block is smaller
}

TEST(DynamicSubsegments, WhatWouldBeATinyRestIsTakenAsWell) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  planner->segment_started();
  EXPECT_EQ(planner->next_size(500_kB, kA, std::vector<LinkEstimate>{{kA, 1020_kbps}, {kB, 1000_kbps}}), 100'990_B);
  planner->taken(100'990_B);
  // The other link has become a little slower meanwhile: its share is 98 522 bytes, and 488 would be left.
  EXPECT_EQ(planner->next_size(399'010_B, kB, std::vector<LinkEstimate>{{kA, 1030_kbps}, {kB, 1000_kbps}}), 99'010_B);
  planner->taken(99'010_B);
  EXPECT_EQ(planner->next_size(209_kB, kA, std::vector<LinkEstimate>{{kA, 1_Mbps}, {kB, 1_Mbps}}), 104'500_B);
}

TEST(DynamicSubsegments, AVerySlowLinkStillGetsATenth) {
  const auto planner = make_planner(SubsegmentApproach::kDynamic, 100_kB);
  planner->segment_started();
  const std::vector<LinkEstimate> links{{kA, 1000_Mbps}, {kB, DataRate::bits_per_second(10)}};
  EXPECT_EQ(planner->next_size(500_kB, kB, links), 10_kB);
}

// ---- The last bytes

constexpr std::uint32_t kSeed = 8;
constexpr int kStates = 1'000'000;

/// From 1 to `most`, of all orders of magnitude alike. No standard distribution: each library has its own.
double any_up_to(double most, std::mt19937& random) {
  return std::pow(most, static_cast<double>(random()) / static_cast<double>(std::mt19937::max()));
}

LinkEstimate any_link(LinkId id, std::mt19937& random) {
  LinkEstimate link{.link = id};
  if (random() % 8 != 0) link.throughput = DataRate::bits_per_second(any_up_to(1e10, random));
  if (random() % 4 != 0) link.free_in = link.round_trip = from_seconds(any_up_to(1e9, random) / 1e9);
  if (random() % 8 == 0) link.free_in = from_seconds(any_up_to(1e4, random));
  if (random() % 8 == 0) link.answer_delay = link.round_trip;
  return link;
}

TEST(SubsegmentPlanner, SomeLinkIsAlwaysAskedForWhatIsLeft) {
  std::mt19937 random{kSeed};
  constexpr std::array kIds{kA, kB, kC};
  const std::array planners{make_planner(SubsegmentApproach::kBalanced, 50_kB),
                            make_planner(SubsegmentApproach::kDynamic, 50_kB),
                            make_planner(SubsegmentApproach::kStatic, 50_kB)};
  for (int state = 0; state < kStates; ++state) {
    SubsegmentPlanner& planner = *planners[state % 4 == 0 ? 1 + random() % 2 : 0];
    const DataSize left{std::llround(any_up_to(random() % 2 == 0 ? 10 : 1e7, random))};
    LinkEstimates links;
    for (std::size_t i = 0; i <= random() % kIds.size(); ++i) links.push_back(any_link(kIds[i], random));
    DataSize most;
    for (const LinkEstimate& link : links) {
      const DataSize size = planner.next_size(left, link.link, links);
      ASSERT_TRUE(size >= 0_B && size <= left) << "state " << state << ": " << size.bytes() << " of " << left.bytes();
      most = std::max(most, size);
    }
    ASSERT_GT(most, 0_B) << "state " << state << ": nobody is asked for the last " << left.bytes() << " bytes";
    planner.taken(most);
  }
}

TEST(ByteWindow, AnIdleLinkAlwaysHasRoom) {
  std::mt19937 random{kSeed};
  for (int state = 0; state < kStates; ++state) {
    const LinkEstimate link = any_link(kA, random);
    const ByteWindow window{DataSize{std::llround(any_up_to(1e6, random))}};
    ASSERT_TRUE(window.has_room(kA, link.throughput, link.round_trip, {})) << "state " << state;
  }
}

}  // namespace
}  // namespace tributary
