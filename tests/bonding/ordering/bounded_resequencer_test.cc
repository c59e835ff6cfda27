#include "bonding/ordering/bounded_resequencer.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr PathId kNear{1}, kFar{2};

/// A near path of 10 ms and a far one of 60 ms, both of which have been measured, on a clock that is 20 min behind ours.
class BoundedResequencerTest : public ::testing::Test {
 protected:
  BoundedResequencerTest() {
    for (int i = 0; i < 30; ++i, now += 10ms) {
      arrives(kNear, number++, 10ms);
      arrives(kFar, number++, 60ms);
    }
  }
  void comes(PathId path, Duration taken) { resequencer.came(path, sent_time(now - taken - 20min), now); }
  std::string arrives(PathId path, std::uint32_t sequence, Duration taken, std::size_t size = 1) {
    return arrives(path, sequence, taken, Bytes(size, std::byte(sequence)), false);
  }
  /// After no loss on its path.
  std::string follows(PathId path, std::uint32_t sequence, Duration taken) {
    return arrives(path, sequence, taken, Bytes{std::byte(sequence)}, true);
  }
  std::string arrives(PathId path, std::uint32_t sequence, Duration taken, Bytes packet, bool follows) {
    comes(path, taken);
    const SentTime sent_at = sent_time(now - taken - 20min);
    return shown(
        resequencer.arrived({path, static_cast<GlobalSequence>(sequence), sent_at, std::move(packet), follows}, now));
  }
  std::string shown(const std::vector<Bytes>& released) const {
    std::string text;
    for (const Bytes& packet : released) {
      text += std::to_string(std::to_integer<int>(packet.front()) - static_cast<int>(number)) + " ";
    }
    if (!text.empty()) text.pop_back();
    return text;
  }

  BoundedResequencer resequencer;
  TimePoint now{5s};
  std::uint32_t number = 0;
};

TEST_F(BoundedResequencerTest, ReleasesWhatIsInOrder) {
  EXPECT_EQ(arrives(kFar, number, 60ms), "0");
  EXPECT_EQ(arrives(kNear, number + 1, 10ms), "1");
  EXPECT_EQ(resequencer.held(), DataSize{});
}

TEST_F(BoundedResequencerTest, APacketOfTheNearPathWaitsAsLongAsTheFarOneTakes) {
  EXPECT_EQ(arrives(kNear, number + 1, 10ms), "");
  const auto deadline = resequencer.next_deadline();
  ASSERT_TRUE(deadline);
  EXPECT_NEAR(to_seconds(*deadline - now), 0.050, 0.003);
  now = *deadline;
  EXPECT_EQ(shown(resequencer.wake(now)), "1");
  EXPECT_EQ(arrives(kFar, number, 60ms), "0");  // late
}

TEST_F(BoundedResequencerTest, WhatComesInTimeIsPutInOrder) {
  arrives(kNear, number + 1, 10ms);
  arrives(kNear, number + 2, 10ms);
  now += 40ms;
  EXPECT_EQ(arrives(kFar, number, 60ms), "0 1 2");
}

TEST_F(BoundedResequencerTest, ALossOnTheFarPathIsKnownByItsNextPacket) {
  EXPECT_EQ(arrives(kNear, number + 1, 10ms), "");
  EXPECT_EQ(arrives(kFar, number + 2, 60ms), "1 2");
}

TEST_F(BoundedResequencerTest, ALossOnTheFarPathHoldsItsOwnPacketsForAMoment) {
  EXPECT_EQ(arrives(kFar, number + 1, 60ms), "");
  EXPECT_LT(*resequencer.next_deadline() - now, 5ms);
}

TEST_F(BoundedResequencerTest, APathThatIsIdleOrHasLeftDelaysNobody) {
  now += 1s;
  EXPECT_EQ(arrives(kNear, number + 1, 10ms), "1");
  resequencer.path_left(kFar, now);
  EXPECT_EQ(arrives(kNear, number + 3, 10ms), "3");
}

TEST_F(BoundedResequencerTest, APathThatWasIdleIsWaitedForWhenNoOtherCanHaveLostAPacket) {
  now += 2s;
  EXPECT_EQ(follows(kNear, number, 10ms), "0");
  EXPECT_EQ(follows(kNear, number + 2, 10ms), "");
  EXPECT_NEAR(to_seconds(*resequencer.next_deadline() - now), 0.050, 0.003);
  now += 45ms;
  EXPECT_EQ(arrives(kFar, number + 1, 60ms), "1 2");
}

TEST_F(BoundedResequencerTest, APathThatWasIdleIsNotWaitedForWhenTheUsedOneHasLostAPacket) {
  now += 2s;
  EXPECT_EQ(follows(kNear, number, 10ms), "0");
  EXPECT_EQ(arrives(kNear, number + 2, 10ms), "2");
}

/// Its delay is known of packets without contents.
TEST(BoundedResequencer, WaitsForTheFirstPacketOfAPathWhateverTheClocks) {
  for (const Duration behind : {Duration{-30min}, Duration{0s}, Duration{30min}}) {
    BoundedResequencer resequencer;
    TimePoint now{10s};
    const auto sent_at = [&](Duration taken) { return sent_time(now - taken - behind); };
    for (int i = 0; i < 3; ++i, now += 1s) {
      resequencer.came(kNear, sent_at(10ms), now);
      resequencer.came(kFar, sent_at(60ms), now);
    }
    EXPECT_EQ(resequencer.arrived({kNear, GlobalSequence{0}, sent_at(10ms), Bytes(1), true}, now).size(), 1U);
    EXPECT_EQ(resequencer.arrived({kNear, GlobalSequence{2}, sent_at(10ms), Bytes(1), true}, now).size(), 0U);
    const Duration wait = *resequencer.next_deadline() - now;
    EXPECT_GE(wait, 50ms);
    EXPECT_LE(wait, 100ms);
  }
}

TEST_F(BoundedResequencerTest, NothingWaitsFor400ms) {
  for (int i = 0; i < 20; ++i, now += 10ms) arrives(kFar, number++, 3s);
  arrives(kNear, number + 1, 10ms);
  EXPECT_LE(*resequencer.next_deadline() - now, BoundedResequencer::kLongestWait);
}

TEST_F(BoundedResequencerTest, NeverHoldsMoreThanItsBound) {
  for (std::uint32_t i = 1; i < 100; ++i) {
    arrives(kNear, number + i, 10ms, 200'000);
    EXPECT_LE(resequencer.held(), BoundedResequencer::kMostHeld);
  }
}

/// One client's packets with a gap before them must not cost the time of the others.
TEST_F(BoundedResequencerTest, ItsWorkDoesNotGrowWithWhatItHolds) {
  const std::size_t before = resequencer.looked_at();
  constexpr std::uint32_t kMany = 5'000;
  for (std::uint32_t i = 1; i <= kMany; ++i, now += 1us) {
    follows(kNear, number + i, 10ms);
    resequencer.next_deadline();
  }
  EXPECT_EQ(resequencer.held(), DataSize{kMany});
  now += 400ms;
  EXPECT_EQ(resequencer.wake(now).size(), kMany);
  EXPECT_EQ(resequencer.held(), DataSize{});
  EXPECT_LE(resequencer.looked_at() - before, 5 * kMany);
}

TEST_F(BoundedResequencerTest, SmallPacketsCountAsTheMemoryThatTheyTake) {
  for (std::uint32_t i = 1; i <= 50'000; ++i) arrives(kNear, number + 2 * i, 10ms);  // none follows another
  constexpr auto kMost =
      static_cast<std::size_t>(BoundedResequencer::kMostHeld.bytes() / BoundedResequencer::kHeldOverhead.bytes());
  const std::size_t held = resequencer.wake(now + 1s).size();
  EXPECT_GT(held, kMost / 2);
  EXPECT_LE(held, kMost);
}

}  // namespace
}  // namespace tributary::bonding
