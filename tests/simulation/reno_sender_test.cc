// What a sender of TCP does that knows cumulative acknowledgments only.
#include "simulation/reno_sender.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint64_t kSize = 1000;

struct Sender : ::testing::Test {
  /// Numbers of the segments that leave.
  std::vector<std::uint64_t> leaving() {
    std::vector<std::uint64_t> numbers;
    for (const RenoSender::Segment& segment : sender.take_segments(now)) numbers.push_back(segment.sequence / kSize);
    return numbers;
  }
  void acknowledge(std::uint64_t segments, int times = 1) {
    for (int i = 0; i < times; ++i) sender.acknowledged(segments * kSize, now);
  }
  TimePoint now{};
  RenoSender sender{DataSize{kSize}, now};
};

TEST_F(Sender, BeginsWithTenSegmentsAndDoublesTheWindowInEachRoundTrip) {
  EXPECT_THAT(leaving(), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  now += 100ms;
  for (std::uint64_t i = 1; i <= 10; ++i) acknowledge(i);
  EXPECT_EQ(leaving().size(), 20U);
}

TEST_F(Sender, SendsNoMoreThanTheReceiverAllows) {
  sender = RenoSender{DataSize{kSize}, now, DataSize{12'500}};
  EXPECT_EQ(leaving().size(), 10U);
  acknowledge(5);
  EXPECT_THAT(leaving(), ElementsAre(10, 11, 12, 13, 14, 15, 16));
}

TEST_F(Sender, SendsTwoMoreForTwoDuplicatesAndTheMissingOneForTheThird) {
  leaving();
  acknowledge(2);
  EXPECT_THAT(leaving(), ElementsAre(10, 11, 12, 13));
  acknowledge(2);
  EXPECT_THAT(leaving(), ElementsAre(14));
  acknowledge(2);
  EXPECT_THAT(leaving(), ElementsAre(15));
  acknowledge(2);
  EXPECT_THAT(leaving(), ElementsAre(2));
  EXPECT_EQ(sender.retransmissions(), 1U);
}

TEST_F(Sender, FillsOneHoleForEachPartialAcknowledgmentAndThenGoesOnWithHalfTheWindow) {
  leaving();
  acknowledge(0, 3);
  EXPECT_THAT(leaving(), ElementsAre(0));
  acknowledge(4);
  EXPECT_THAT(leaving(), ElementsAre(4));
  acknowledge(10);
  EXPECT_EQ(leaving().size(), 2U) << "one in flight and one more: no burst";
  for (std::uint64_t i = 11; i <= 12; ++i) acknowledge(i);
  EXPECT_EQ(leaving().size(), 4U) << "in slow start up to five";
}

TEST_F(Sender, DuplicatesAfterARecoveryAreNoSecondLossBeforeItsEnd) {
  leaving();
  acknowledge(0, 3);
  leaving();
  acknowledge(0, 20);
  EXPECT_EQ(sender.retransmissions(), 1U);
}

TEST_F(Sender, BeginsAnewWhenNothingIsAcknowledgedForLong) {
  leaving();
  EXPECT_EQ(sender.next_deadline(), TimePoint{} + 1s);
  now += 1s;
  sender.wake(now);
  EXPECT_THAT(leaving(), ElementsAre(0));
  EXPECT_EQ(sender.next_deadline(), now + 2s) << "and waits twice as long then";
  acknowledge(0, 3);
  EXPECT_THAT(leaving(), IsEmpty()) << "duplicates of what was sent before";
}

TEST_F(Sender, WaitsByTheRoundTripsThatItHasSeen) {
  leaving();
  now += 100ms;
  acknowledge(1);
  EXPECT_EQ(sender.next_deadline(), now + 300ms) << "100 ms, and four times half of that";
}

TEST(Receiver, AcknowledgesWhatComesTwice) {
  RenoReceiver receiver;
  EXPECT_EQ(receiver.got({0, 1000}), 1000U);
  EXPECT_EQ(receiver.got({2000, 1000}), 1000U);
  EXPECT_EQ(receiver.got({0, 1000}), 1000U);
  EXPECT_EQ(receiver.got({1000, 1000}), 3000U);
  EXPECT_EQ(receiver.in_order(), DataSize{3000});
}

}  // namespace
}  // namespace tributary
