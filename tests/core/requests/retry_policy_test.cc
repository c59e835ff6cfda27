#include "core/requests/retry_policy.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

TEST(RetryPolicy, ALostConnectionRestsItsLinkLongerEachTime) {
  const RetryPolicy policy;
  EXPECT_EQ(policy.decide(FailureReason::kReset, 1).avoid_link_for, 250ms);
  EXPECT_EQ(policy.decide(FailureReason::kReset, 2).avoid_link_for, 500ms);
  EXPECT_EQ(policy.decide(FailureReason::kReset, 6).avoid_link_for, 8s);
  EXPECT_EQ(policy.decide(FailureReason::kReset, 1000).avoid_link_for, 8s);
}

TEST(RetryPolicy, AConnectionThatBroughtSomethingIsMadeAgainSooner) {
  for (const auto reason : {FailureReason::kReset, FailureReason::kClosedMidBody})
    EXPECT_EQ(RetryPolicy{40ms}.decide(reason, 1, true).avoid_link_for, 40ms) << to_string(reason);
}

TEST(RetryPolicy, AWrongAnswerRestsItsLinkLongerEachTime) {
  const RetryPolicy policy{40ms};
  EXPECT_EQ(policy.decide(FailureReason::kNotFound, 1).avoid_link_for, 40ms);
  EXPECT_EQ(policy.decide(FailureReason::kProtocol, 3).avoid_link_for, 160ms);
  EXPECT_EQ(policy.decide(FailureReason::kReset, 1).avoid_link_for, 250ms);
}

TEST(RetryPolicy, ABusyOriginIsNotAskedBeforeItWantsToBe) {
  const RetryPolicy policy;
  EXPECT_EQ(policy.decide(FailureReason::kServerBusy, 1, false, std::nullopt).avoid_link_for, 1s);
  EXPECT_EQ(policy.decide(FailureReason::kServerBusy, 1, false, 0s).avoid_link_for, 1s);
  EXPECT_EQ(policy.decide(FailureReason::kServerBusy, 1, false, 5s).avoid_link_for, 5s);
  EXPECT_EQ(policy.decide(FailureReason::kServerBusy, 5, false, 5s).avoid_link_for, 8s);
  EXPECT_EQ(policy.decide(FailureReason::kServerBusy, 1, false, 3600s).avoid_link_for, 30s);
}

TEST(RetryPolicy, ALinkThatCannotBeTrustedIsNotUsedAgain) {
  EXPECT_TRUE(RetryPolicy{}.decide(FailureReason::kTlsVerification, 1).avoid_link_for_good);
  EXPECT_TRUE(RetryPolicy{}.decide(FailureReason::kInterface, 1).avoid_link_for_good);
  EXPECT_FALSE(RetryPolicy{}.decide(FailureReason::kReset, 9).avoid_link_for_good);
}

TEST(RetryPolicy, AnOriginWithoutRangesIsAskedForWholeFiles) {
  EXPECT_TRUE(RetryPolicy{}.decide(FailureReason::kRangeIgnored, 1).whole_parts);
  EXPECT_FALSE(RetryPolicy{}.decide(FailureReason::kRangeIgnored, 1).avoid_link_for);
}

TEST(RetryPolicy, NetworkTroubleNeverCountsAgainstTheRange) {
  for (const auto reason : {FailureReason::kResolve, FailureReason::kConnectTimeout, FailureReason::kClosedMidBody,
                            FailureReason::kStalled, FailureReason::kLinkDown, FailureReason::kServerBusy}) {
    EXPECT_FALSE(RetryPolicy{}.decide(reason, 1).wrong_answer) << to_string(reason);
  }
  EXPECT_TRUE(RetryPolicy{}.decide(FailureReason::kNotFound, 1).wrong_answer);
}

}  // namespace
}  // namespace tributary
