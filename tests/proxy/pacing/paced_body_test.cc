#include "proxy/pacing/paced_body.hh"

#include <gtest/gtest.h>

#include <chrono>

namespace tributary::proxy {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr TimePoint kBegin{5s};

TEST(PacedBody, LeavesAtTheRateOfTheLinks) {
  PacedBody body{[] { return 8_Mbps; }, 1_MB};
  EXPECT_EQ(body.may_leave(100_kB, 0_B, kBegin).size, 1_B);
  const PacedBody::Leave early = body.may_leave(100_kB, 1_B, kBegin);
  EXPECT_EQ(early.size, 0_B);
  ASSERT_TRUE(early.again);
  EXPECT_GT(*early.again, kBegin);
  EXPECT_GT(body.may_leave(100_kB, 1_B, *early.again).size, 0_B);
  EXPECT_EQ(body.may_leave(100_kB, 1_B, kBegin + 1s).size, 100_kB);
}

// A player would measure the one link that was known when it asked.
TEST(PacedBody, IsFasterAsSoonAsAnotherLinkIsMeasured) {
  DataRate rate = 8_Mbps;
  PacedBody body{[&] { return rate; }, 10_MB};
  EXPECT_EQ(body.may_leave(1_MB, 0_B, kBegin).size, 1_B);
  rate = 80_Mbps;
  EXPECT_EQ(body.may_leave(1_MB, 1_B, kBegin + 100ms).size, 100_kB);
  EXPECT_EQ(body.may_leave(900_kB, 100'001_B, kBegin + 150ms).size, 500_kB);
}

TEST(PacedBody, LeavesAtOnceWhereNoLinkWasMeasured) {
  std::optional<DataRate> rate;
  PacedBody body{[&] { return rate; }, 1_MB};
  EXPECT_EQ(body.may_leave(100_kB, 0_B, kBegin).size, 100_kB);
  rate = 1_kbps;  // bytes have left at once: a rate would say nothing
  EXPECT_EQ(body.may_leave(100_kB, 100_kB, kBegin + 1s).size, 100_kB);
  EXPECT_EQ(PacedBody({}, 1_MB).may_leave(100_kB, 0_B, kBegin).size, 100_kB);
}

TEST(PacedBody, WaitsForNothingWhereNothingIsThere) {
  PacedBody body{[] { return 8_Mbps; }, 1_MB};
  EXPECT_EQ(body.may_leave(0_B, 0_B, kBegin).size, 0_B);
  EXPECT_FALSE(body.may_leave(0_B, 0_B, kBegin).again);
}

// The links stopped for a while; what they bring then was waited for.
TEST(PacedBody, KeepsItsRateWhileNobodyKnowsIt) {
  std::optional<DataRate> rate = 8_Mbps;
  PacedBody body{[&] { return rate; }, 1_MB};
  body.may_leave(1_MB, 0_B, kBegin);
  rate.reset();
  EXPECT_EQ(body.may_leave(1_MB, 1_B, kBegin + 200ms).size, 200_kB);
}

}  // namespace
}  // namespace tributary::proxy
