#include "core/qualities/adaptations/bba_adaptation.hh"

#include <gtest/gtest.h>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

// A request finds at most 24 s: the reservoir is 90/240 of them, 9 s, the cushion 126/240, 12.6 s. Over the
// cushion 400 kbit/s rise to 3200.
Duration worth(double kbit_s) { return from_seconds(9 + 12.6 * (kbit_s - 400) / 2800); }

class BbaAdaptationTest : public ::testing::Test {
 protected:
  QualityIndex at(Duration level) { return rule_.choose(at_level(level), doubling_table()).quality; }
  BbaAdaptation rule_;
};

TEST_F(BbaAdaptationTest, TakesTheLowestInTheReservoirAndTheHighestAboveTheCushion) {
  EXPECT_EQ(at(0s), kLow);
  EXPECT_EQ(at(9s), kLow);
  EXPECT_EQ(at(21600ms), kSuper);
  EXPECT_EQ(at(24s), kSuper);
  EXPECT_EQ(at(9s), kLow);
}

TEST_F(BbaAdaptationTest, RisesWhenTheBufferIsWorthTheNext) {
  EXPECT_EQ(at(worth(790)), kLow);
  EXPECT_EQ(at(worth(810)), kMedium);
  EXPECT_EQ(at(worth(1590)), kMedium);
  EXPECT_EQ(at(worth(1610)), kHigh);
}

TEST_F(BbaAdaptationTest, RisesOverSeveralAtOnce) { EXPECT_EQ(at(worth(3000)), kHigh); }

TEST_F(BbaAdaptationTest, FallsOnlyWhenTheBufferIsWorthThePrevious) {
  EXPECT_EQ(at(24s), kSuper);
  EXPECT_EQ(at(worth(1610)), kSuper);
  EXPECT_EQ(at(worth(1590)), kHigh);
  EXPECT_EQ(at(worth(810)), kHigh);
  EXPECT_EQ(at(worth(790)), kMedium);
  EXPECT_EQ(at(worth(410)), kMedium);
}

}  // namespace
}  // namespace tributary
