#include "core/qualities/adaptations/dynamic_adaptation.hh"

#include <gtest/gtest.h>

#include "core/qualities/rule_inputs.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using namespace testing;

// At 900 kbit/s the throughput rule takes medium. BOLA takes low below 14.6 s and from 16.95 s high, the
// highest that its guard allows (bola_adaptation_test).
class DynamicAdaptationAt900 : public ::testing::Test {
 protected:
  DynamicAdaptationAt900() { rule_.measured(carried(900_kbps, 1s)); }
  QualityIndex at(Duration level) { return rule_.choose(at_level(level), doubling_table()).quality; }

  DynamicAdaptation rule_;
};

TEST_F(DynamicAdaptationAt900, BeginsWithTheThroughputRule) {
  EXPECT_EQ(at(5s), kMedium);
  EXPECT_EQ(at(12s), kMedium);  // above 10 s, but BOLA asks for less
}

TEST_F(DynamicAdaptationAt900, GoesOverToBolaWhenItAsksForNoLess) {
  EXPECT_EQ(at(12s), kMedium);
  EXPECT_EQ(at(17s), kHigh);
  EXPECT_EQ(at(12s), kLow);  // and stays with it above 10 s
}

TEST_F(DynamicAdaptationAt900, GoesBackWhenTheBufferIsLowAndBolaAsksForLess) {
  EXPECT_EQ(at(17s), kHigh);
  EXPECT_EQ(at(10s), kLow);
  EXPECT_EQ(at(9900ms), kMedium);
  EXPECT_EQ(at(12s), kMedium);
}

TEST_F(DynamicAdaptationAt900, GivesUpWhatTheThroughputRuleGivesUp) {
  EXPECT_TRUE(rule_.abandons(on_its_way(125_kB, 1100ms, 4s), doubling_table()));
  EXPECT_FALSE(rule_.abandons(on_its_way(250_kB, 1100ms, 4s), doubling_table()));
}

}  // namespace
}  // namespace tributary
