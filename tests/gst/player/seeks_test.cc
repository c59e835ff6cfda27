#include "gst/player/seeks.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Seeks::Time kNow{1h};

TEST(Seeks, AStartThatIsNotTheBeginningIsASeek) {
  EXPECT_EQ(Seeks{0s}.target(), std::nullopt);
  Seeks seeks{7s};
  EXPECT_EQ(seeks.target(), 7s);
  EXPECT_EQ(seeks.arrived(6960ms), 6960ms);
  EXPECT_EQ(seeks.target(), std::nullopt);
  EXPECT_EQ(seeks.last(), 6960ms);
}

TEST(Seeks, NoneWaitsForOneThatHasHadItsTime) {
  Seeks seeks{0s};
  EXPECT_TRUE(seeks.may_begin(5s, true, kNow));
  seeks.begin(5s, kNow);
  EXPECT_TRUE(seeks.may_begin(6s, true, kNow + 200ms));
}

TEST(Seeks, NoneWaitsBeforeTheTitleHasShownAPicture) {
  Seeks seeks{0s};
  seeks.begin(5s, kNow);
  EXPECT_TRUE(seeks.may_begin(6s, false, kNow + 1ms));
}

TEST(Seeks, TheLastOfSeveralWaitsForThePictureOfTheFirst) {
  Seeks seeks{0s};
  seeks.begin(5s, kNow);
  EXPECT_FALSE(seeks.may_begin(6s, true, kNow + 10ms));
  EXPECT_FALSE(seeks.may_begin(7s, true, kNow + 20ms));
  EXPECT_EQ(seeks.target(), 7s);
  EXPECT_EQ(seeks.arrived(5s), std::nullopt);  // another one goes on from there
  EXPECT_EQ(seeks.waiting(), 7s);
  seeks.begin(7s, kNow + 30ms);
  EXPECT_EQ(seeks.waiting(), std::nullopt);
  EXPECT_EQ(seeks.arrived(7s), 7s);
}

TEST(Seeks, OneThatWaitsIsDueWhenTheLastHasHadItsTime) {
  Seeks seeks{0s};
  seeks.begin(5s, kNow);
  EXPECT_EQ(seeks.due(kNow + 1h), std::nullopt);
  ASSERT_FALSE(seeks.may_begin(6s, true, kNow + 10ms));
  EXPECT_EQ(seeks.due(kNow + 199ms), std::nullopt);
  EXPECT_EQ(seeks.due(kNow + 200ms), 6s);
}

TEST(Seeks, MessagesCountAgainAfterTheFlushOfTheLastSeek) {
  Seeks seeks{0s};
  EXPECT_TRUE(seeks.up_to_date());
  seeks.sent(1);
  seeks.sent(2);
  seeks.flushed(1);
  EXPECT_FALSE(seeks.up_to_date());
  seeks.flushed(2);
  EXPECT_TRUE(seeks.up_to_date());
  seeks.sent(std::nullopt);  // it failed: no flush will come
  EXPECT_TRUE(seeks.up_to_date());
}

TEST(Seeks, APictureWithoutASeekIsNoArrival) {
  Seeks seeks{0s};
  EXPECT_EQ(seeks.arrived(3s), std::nullopt);
  EXPECT_EQ(seeks.last(), 0s);
}

TEST(Seeks, APipelineThatDoesNotKnowItsPositionIsAtTheTarget) {
  Seeks seeks{0s};
  seeks.begin(5s, kNow);
  EXPECT_EQ(seeks.arrived(std::nullopt), 5s);
}

TEST(Seeks, PlayoutCountsOnlyBetweenSeeks) {
  Seeks seeks{0s};
  seeks.played_to(2s);
  EXPECT_EQ(seeks.last(), 2s);
  seeks.begin(9s, kNow);
  seeks.played_to(3s);
  EXPECT_EQ(seeks.last(), 2s);
}

}  // namespace
}  // namespace tributary
