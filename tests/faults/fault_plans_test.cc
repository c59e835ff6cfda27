// Some of what fault_bench runs by the thousand, always the same ones, and those that found something before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault_run.hh"
#include "support/sweep.hh"

namespace tributary::testing {
namespace {

TEST(FaultPlans, WhateverFailsAllIsRight) {
  for (int i = 1; i <= of_sweep(60, 250); ++i) {
    const auto seed = static_cast<std::uint64_t>(i);
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

// 2.4 MB over 8 Mbit/s take 2.4 s, in 48 requests where no answer stands still for 3 s; here in a few more than there are segments.
TEST(FaultPlans, AnOriginThatIsSlowIsAskedForMuchAtATime) {
  for (const ServerFault habit : {ServerFault::kSlowFirstByte, ServerFault::kPause}) {
    for (const std::uint32_t links : {1U, 2U}) {
      const FaultResult result = run_plan(plan_with(habit, links));
      EXPECT_THAT(result.faults, ::testing::IsEmpty()) << to_string(habit);
      EXPECT_TRUE(result.complete) << to_string(habit) << ": " << result.ended_because;
      EXPECT_LE(result.end, TimePoint{std::chrono::seconds{36}}) << to_string(habit) << " over " << links;
      EXPECT_EQ(result.failures, 0U) << to_string(habit) << " over " << links;
    }
  }
}

// They are found out in a few seconds, once for all links.
TEST(FaultPlans, AnOriginThatCannotTakeSeveralRequestsIsAskedOneAtATime) {
  for (const ServerFault habit : {ServerFault::kLosesPipelined, ServerFault::kOvertakes}) {
    for (const std::uint32_t links : {1U, 2U}) {
      const FaultResult result = run_plan(plan_with(habit, links));
      EXPECT_THAT(result.faults, ::testing::IsEmpty()) << to_string(habit);
      EXPECT_TRUE(result.complete) << to_string(habit) << ": " << result.ended_because;
      EXPECT_LE(result.end, TimePoint{std::chrono::seconds{9}}) << to_string(habit) << " over " << links;
    }
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
