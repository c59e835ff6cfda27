#include "bonding/scheduling/allocation.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::vector<Share>> shared(std::vector<DataRate> subflows, std::vector<DataRate> channels,
                                       Sharing sharing) {
  return allocate(subflows, channels, sharing);
}

TEST(Allocate, WhatASubflowLeavesOfAChannelIsForTheNext) {
  EXPECT_THAT(shared({15_kbps, 15_kbps, 15_kbps}, {20_kbps, 20_kbps, 20_kbps}, Sharing::kSpill),
              ElementsAre(ElementsAre(Share{0, 15_kbps}), ElementsAre(Share{0, 5_kbps}, Share{1, 10_kbps}),
                          ElementsAre(Share{1, 10_kbps}, Share{2, 5_kbps})));
}

TEST(Allocate, OrEachHasChannelsOfItsOwn) {
  EXPECT_THAT(shared({15_kbps, 30_kbps, 15_kbps}, {20_kbps, 20_kbps, 20_kbps, 20_kbps}, Sharing::kWhole),
              ElementsAre(ElementsAre(Share{0, 15_kbps}), ElementsAre(Share{1, 20_kbps}, Share{2, 10_kbps}),
                          ElementsAre(Share{3, 15_kbps})));
}

TEST(Allocate, WhatDoesNotFitIsNotCarriedAndNothingAfterIt) {
  for (const Sharing sharing : {Sharing::kSpill, Sharing::kWhole}) {
    const auto shares = shared({15_kbps, 30_kbps, 1_kbps}, {20_kbps, 20_kbps}, sharing);
    EXPECT_THAT(shares[0], ElementsAre(Share{0, 15_kbps}));
    EXPECT_THAT(shares[1], IsEmpty());
    EXPECT_THAT(shares[2], IsEmpty());
  }
  EXPECT_THAT(shared({15_kbps}, {}, Sharing::kSpill), ElementsAre(IsEmpty()));
}

TEST(Allocate, AChannelThatIsExactlyFullIsLeft) {
  EXPECT_THAT(shared({20_kbps, 5_kbps}, {20_kbps, 20_kbps}, Sharing::kSpill),
              ElementsAre(ElementsAre(Share{0, 20_kbps}), ElementsAre(Share{1, 5_kbps})));
}

TEST(Allocate, AChannelThatCarriesNothingIsPassedOver) {
  EXPECT_THAT(shared({20_kbps}, {0_kbps, 20_kbps}, Sharing::kSpill), ElementsAre(ElementsAre(Share{1, 20_kbps})));
}

TEST(Allocate, ASubflowOfUnknownRateHasAChannel) {
  EXPECT_THAT(shared({0_kbps, 5_kbps}, {20_kbps}, Sharing::kSpill),
              ElementsAre(ElementsAre(Share{0, 0_kbps}), ElementsAre(Share{0, 5_kbps})));
}

}  // namespace
}  // namespace tributary::bonding
