#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bonding/inner/inner_packet.hh"
#include "bonding/inner/subflow_rates.hh"

namespace tributary::bonding {
namespace {

using namespace literals;
using namespace std::chrono_literals;

Bytes marked4(unsigned dscp) {
  Bytes packet(40);
  packet[0] = std::byte{0x45};
  packet[1] = static_cast<std::byte>(dscp << 2);
  return packet;
}

Bytes marked6(unsigned dscp) {
  Bytes packet(40);
  packet[0] = static_cast<std::byte>(0x60 | dscp >> 2);
  packet[1] = static_cast<std::byte>((dscp & 3) << 6);
  return packet;
}

/// CS7, CS6, EF, AF41 to AF43, AF11, unmarked.
TEST(Subflow, IsMoreImportantWithAHigherClassAndALowerDropPrecedence) {
  std::optional<Subflow> before;
  for (const unsigned dscp : {56U, 48U, 46U, 34U, 36U, 38U, 10U, 0U}) {
    const Subflow subflow = subflow_of(marked4(dscp));
    EXPECT_TRUE(!before || *before < subflow) << dscp;
    EXPECT_EQ(subflow_of(marked6(dscp)), subflow) << dscp;
    before = subflow;
  }
}

TEST(Subflow, WhatIsCutOrNoIpCountsAsUnmarked) {
  const Subflow unmarked = subflow_of(marked4(0));
  EXPECT_EQ(subflow_of({}), unmarked);
  EXPECT_EQ(subflow_of(ByteSpan{marked4(46)}.first(19)), unmarked);
  EXPECT_EQ(subflow_of(ByteSpan{marked6(46)}.first(39)), unmarked);
}

TEST(SubflowRates, OfConstantStreamsAreExact) {
  SubflowRates rates;
  TimePoint now{100s};
  for (int i = 0; i < 101; ++i, now += 100ms) {
    rates.came(Subflow{4}, 250_B, now);
    if (i % 2 == 0) rates.came(Subflow{1}, 250_B, now);
    if (i < 2) continue;
    ASSERT_EQ(rates.at(now).size(), 2U);
    EXPECT_EQ(rates.at(now)[0].subflow, Subflow{1});
    EXPECT_DOUBLE_EQ(rates.at(now)[0].rate / 10_kbps, 1) << i;
    EXPECT_DOUBLE_EQ(rates.at(now)[1].rate / 20_kbps, 1) << i;
  }
}

TEST(SubflowRates, FollowAChangeAndForgetWhatHasGone) {
  SubflowRates rates;
  TimePoint now{100s};
  for (int i = 0; i < 50; ++i, now += 100ms) rates.came(Subflow{0}, 250_B, now);
  for (int i = 0; i < 50; ++i, now += 100ms) rates.came(Subflow{0}, 500_B, now);
  EXPECT_DOUBLE_EQ(rates.at(now).at(0).rate / 40_kbps, 1);
  EXPECT_EQ(rates.at(now + 3s).size(), 1U);
  EXPECT_TRUE(rates.at(now + 4s).empty());
  rates.came(Subflow{0}, 250_B, now + 10s);
  EXPECT_EQ(rates.at(now + 10s).at(0).rate, DataRate{});
}

TEST(SubflowRates, PacketsOfOneMomentHaveNoRateYet) {
  SubflowRates rates;
  rates.came(Subflow{0}, 250_B, TimePoint{1s});
  rates.came(Subflow{0}, 250_B, TimePoint{1s});
  EXPECT_EQ(rates.at(TimePoint{1s}).at(0).rate, DataRate{});
}

}  // namespace
}  // namespace tributary::bonding
