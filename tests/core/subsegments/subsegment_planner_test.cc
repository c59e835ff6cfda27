#include "core/subsegments/subsegment_planner.hh"

#include <gtest/gtest.h>

#include <vector>

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

}  // namespace
}  // namespace tributary
