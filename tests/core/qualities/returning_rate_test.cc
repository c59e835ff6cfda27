#include "core/qualities/returning_rate.hh"

#include <gtest/gtest.h>

#include <cmath>

namespace tributary {
namespace {

TEST(ReturningRate, IsWhatItIsNowForASegment) { EXPECT_DOUBLE_EQ((ReturningRate{100, 1000, 2}.takes(150)), 1.5); }

TEST(ReturningRate, ReturnsByAFifthOfTheLogarithmWithEachSegment) {
  const double next = 1000 * std::exp(0.8 * std::log(0.1));
  EXPECT_DOUBLE_EQ((ReturningRate{100, 1000, 2}.takes(200 + next)), 3);
}

TEST(ReturningRate, IsThatOfTheLongRunInTheEnd) {
  const ReturningRate rate{10, 1000, 2};
  EXPECT_NEAR(rate.takes(2e6) - rate.takes(1e6), 1000, 1e-6);
}

TEST(ReturningRate, OneThatIsThatOfTheLongRunStays) { EXPECT_DOUBLE_EQ((ReturningRate{1000, 1000, 2}.takes(7000)), 7); }

}  // namespace
}  // namespace tributary
