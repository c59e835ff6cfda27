#include "bonding/paths/path_address.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace literals;

const PeerAddress kOld{{std::byte{1}}, 1}, kNew{{std::byte{1}}, 2};

TEST(PathAddress, IsProvenByTheTokenThatWasSentThere) {
  PathAddress address{kOld, false};
  const auto challenge = address.challenge();
  EXPECT_EQ(challenge.to, kOld);
  EXPECT_FALSE(address.answered(ChallengeToken{}));
  EXPECT_TRUE(address.answered(challenge.token));
  EXPECT_TRUE(address.proven());
  EXPECT_FALSE(address.answered(challenge.token));
}

TEST(PathAddress, AnUnprovenOneGetsNoMoreThanItSent) {
  PathAddress address{kOld, false};
  EXPECT_FALSE(address.may_send(kOld, 1_B));
  address.came_from(kOld, 100_B, true);
  EXPECT_TRUE(address.may_send(kOld, 60_B));
  EXPECT_FALSE(address.may_send(kOld, 41_B));
  EXPECT_TRUE(address.may_send(kOld, 40_B));
}

TEST(PathAddress, ANewOneIsChallengedAndHoldsOnceItAnswers) {
  PathAddress address{kOld, true};
  EXPECT_TRUE(address.came_from(kNew, 100_B, true));
  EXPECT_EQ(address.address(), kOld);
  const auto challenge = address.challenge();
  EXPECT_EQ(challenge.to, kNew);
  EXPECT_TRUE(address.answered(challenge.token));
  EXPECT_EQ(address.address(), kNew);
}

TEST(PathAddress, AnOldPacketFromElsewhereIsNoNewAddress) {
  PathAddress address{kOld, true};
  EXPECT_FALSE(address.came_from(kNew, 100_B, false));
  EXPECT_EQ(address.challenge().to, kOld);
}

TEST(PathAddress, APacketFromTheOldOneEndsTheChange) {
  PathAddress address{kOld, true};
  address.came_from(kNew, 100_B, true);
  const auto challenge = address.challenge();
  address.came_from(kOld, 100_B, true);
  EXPECT_EQ(address.challenge().to, kOld);
  EXPECT_FALSE(address.answered(challenge.token));
  EXPECT_EQ(address.address(), kOld);
}

}  // namespace
}  // namespace tributary::bonding
