// Some of what fault_bench runs by the thousand, always the same ones, and those that found something before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault_run.hh"

namespace tributary::testing {
namespace {

TEST(FaultPlans, WhateverFailsAllIsRight) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const FaultPlan plan = random_plan(seed);
    ASSERT_THAT(run_plan(plan).faults, ::testing::IsEmpty()) << "fault_bench --seed " << seed << "\n" << describe(plan);
  }
}

// 1632: ranges and whole parts at once; 3486706770: a whole file came in drops for twenty minutes; the others: the middle one of
// three links that were asked for the same bytes fails.
TEST(FaultPlans, ThoseThatFoundSomething) {
  for (const std::uint64_t seed : {1632UL, 6060UL, 6457UL, 10251UL, 3486706770UL}) {
    EXPECT_THAT(run_plan(random_plan(seed)).faults, ::testing::IsEmpty()) << "fault_bench --seed " << seed;
  }
}

TEST(FaultPlans, TheSameSeedIsTheSameRun) {
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const FaultResult once = run_plan(random_plan(seed));
    const FaultResult again = run_plan(random_plan(seed));
    EXPECT_EQ(once.end, again.end);
    EXPECT_EQ(once.events, again.events);
    EXPECT_EQ(once.ended_because, again.ended_because);
  }
}

}  // namespace
}  // namespace tributary::testing
