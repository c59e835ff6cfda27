#include "lending/pairing_desk.hh"

#include <gtest/gtest.h>

namespace tributary::lending {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kStart{1000s};

TEST(PairingDesk, NobodyIsPairedWithoutACode) {
  PairingDesk desk;
  EXPECT_FALSE(desk.code(kStart));
  EXPECT_FALSE(desk.try_begins("123456", kStart));
}

TEST(PairingDesk, ACodeIsGoodForFiveMinutes) {
  PairingDesk desk;
  desk.give_out("123456", kStart);
  EXPECT_TRUE(desk.try_begins("123456", kStart + 299s));
  EXPECT_FALSE(desk.try_begins("123456", kStart + 301s));
}

TEST(PairingDesk, ACodeIsGoodForOneMember) {
  PairingDesk desk;
  desk.give_out("123456", kStart);
  EXPECT_TRUE(desk.try_begins("123456", kStart));
  desk.paired();
  EXPECT_FALSE(desk.try_begins("123456", kStart));
  EXPECT_FALSE(desk.paused_until(kStart));
}

TEST(PairingDesk, AnExchangeThatBeganWithAnOldCodeIsNoTryOfTheNewOne) {
  PairingDesk desk;
  desk.give_out("111111", kStart);
  desk.give_out("222222", kStart);
  EXPECT_FALSE(desk.try_begins("111111", kStart));
  for (int i = 0; i < PairingDesk::kTries; ++i) EXPECT_TRUE(desk.try_begins("222222", kStart));
}

TEST(PairingDesk, AfterThreeTriesThereIsAPauseThatDoubles) {
  PairingDesk desk;
  TimePoint now = kStart;
  Duration before{};
  for (int round = 0; round < 10; ++round) {
    desk.give_out("123456", now);
    for (int i = 0; i < PairingDesk::kTries; ++i) EXPECT_TRUE(desk.try_begins("123456", now));
    EXPECT_FALSE(desk.try_begins("123456", now));
    ASSERT_TRUE(desk.paused_until(now));
    const Duration pause = *desk.paused_until(now) - now;
    EXPECT_EQ(pause, round == 0 ? PairingDesk::kFirstPause : std::min(2 * before, PairingDesk::kLongestPause));
    before = pause;
    now += pause;
  }
}

TEST(PairingDesk, ACodeThatIsGivenOutInAPauseIsGoodAfterIt) {
  PairingDesk desk;
  desk.give_out("111111", kStart);
  for (int i = 0; i < PairingDesk::kTries; ++i) desk.try_begins("111111", kStart);
  desk.give_out("222222", kStart + 1s);
  EXPECT_FALSE(desk.try_begins("222222", kStart + 29s));
  EXPECT_TRUE(desk.try_begins("222222", kStart + 30s));
}

/// All codes that somebody can try who never waits, while a new code is shown whenever one is no longer good.
TEST(PairingDesk, AThousandTriesTakeWeeks) {
  PairingDesk desk;
  TimePoint now = kStart;
  for (int tries = 0; tries < 1000;) {
    desk.give_out("123456", now);
    while (desk.try_begins("123456", now)) ++tries;
    now = desk.paused_until(now).value_or(now);
  }
  EXPECT_GT(now - kStart, std::chrono::hours{24 * 13});
}

}  // namespace
}  // namespace tributary::lending
