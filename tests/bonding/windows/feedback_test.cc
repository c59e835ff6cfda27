#include <gtest/gtest.h>

#include "bonding/windows/received_packets.hh"
#include "bonding/windows/sent_packets.hh"

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow{10s};

SequenceRange from_to(std::uint64_t first, std::uint64_t last) {
  return {static_cast<PathSequence>(first), static_cast<PathSequence>(last)};
}

std::vector<SequenceRange> ranges_of(const std::vector<std::uint64_t>& numbers) {
  ReceivedPackets received{PathId{}};
  for (const std::uint64_t number : numbers) received.arrived(static_cast<PathSequence>(number), {}, kNow);
  return received.feedback(kNow).ranges;
}

TEST(ReceivedPackets, AreToldAsRangesTheNewestFirst) {
  EXPECT_EQ(ranges_of({0, 1, 2}), (std::vector{from_to(0, 2)}));
  EXPECT_EQ(ranges_of({5, 1, 3}), (std::vector{from_to(5, 5), from_to(3, 3), from_to(1, 1)}));
  EXPECT_EQ(ranges_of({1, 3, 2}), (std::vector{from_to(1, 3)}));
  EXPECT_EQ(ranges_of({9, 4, 5, 3, 8}), (std::vector{from_to(8, 9), from_to(3, 5)}));
  EXPECT_EQ(ranges_of({1, 1, 2, 2}), (std::vector{from_to(1, 2)}));
}

TEST(ReceivedPackets, OnlyTheNewestRangesAreKept) {
  std::vector<std::uint64_t> odd;
  for (std::uint64_t i = 0; i < 100; ++i) odd.push_back(2 * i + 1);
  const auto ranges = ranges_of(odd);
  EXPECT_EQ(ranges.size(), Feedback::kMostRanges);
  EXPECT_EQ(ranges.front(), from_to(199, 199));
}

TEST(ReceivedPackets, FeedbackIsForTwoPacketsOrAGapOrAfter25ms) {
  ReceivedPackets received{PathId{}};
  EXPECT_FALSE(received.due());
  received.arrived(PathSequence{0}, {}, kNow);
  EXPECT_EQ(received.due(), kNow + 25ms);
  received.arrived(PathSequence{1}, {}, kNow + 5ms);
  EXPECT_EQ(received.due(), kNow + 5ms);
  received.feedback(kNow + 5ms);
  EXPECT_FALSE(received.due());
  received.arrived(PathSequence{3}, {}, kNow + 6ms);
  EXPECT_EQ(received.due(), kNow + 6ms);
}

TEST(ReceivedPackets, SmallOnesAreToldOfTogether) {
  ReceivedPackets received{PathId{}};
  const auto arrived = [&](std::uint64_t number) {
    received.arrived(static_cast<PathSequence>(number), {}, kNow, ReceivedPackets::Asks::kFeedback, DataSize{120});
  };
  for (std::uint64_t number = 0; number < 8; ++number) arrived(number);
  EXPECT_EQ(received.due(), kNow + 25ms);
  arrived(8);
  EXPECT_EQ(received.due(), kNow);
  received.feedback(kNow);
  arrived(10);
  EXPECT_EQ(received.due(), kNow) << "number 9 is missing";
}

TEST(ReceivedPackets, ThoseThatAskForNothingAreNoGapAndNoReasonForFeedback) {
  using enum ReceivedPackets::Asks;
  ReceivedPackets received{PathId{}};
  received.arrived(PathSequence{0}, {}, kNow, kNothing);
  EXPECT_FALSE(received.due());
  received.arrived(PathSequence{1}, {}, kNow);
  received.arrived(PathSequence{2}, {}, kNow, kNothing);
  received.arrived(PathSequence{3}, {}, kNow, kNothing);
  EXPECT_EQ(received.due(), kNow + 25ms);
  const Feedback feedback = received.feedback(kNow);
  EXPECT_EQ(feedback.ranges, (std::vector<SequenceRange>{{PathSequence{0}, PathSequence{3}}}));

  SentPackets sent;
  sent.sent_unasked(PathSequence{0});
  sent.sent({.sequence = PathSequence{1}, .size = DataSize{100}});
  sent.sent_unasked(PathSequence{2});
  EXPECT_EQ(sent.take_in(feedback, kNow).arrived.size(), 0U);  // of a packet that was never sent
  sent.sent_unasked(PathSequence{3});
  EXPECT_EQ(sent.take_in(feedback, kNow).arrived.size(), 1U);
}

TEST(ReceivedPackets, FeedbackHasTheTimeOfTheNewest) {
  ReceivedPackets received{PathId{2}};
  received.arrived(PathSequence{5}, sent_time(TimePoint{3s}), kNow);
  received.arrived(PathSequence{4}, sent_time(TimePoint{2s}), kNow + 1ms);
  const Feedback feedback = received.feedback(kNow + 4ms);
  EXPECT_EQ(feedback.path, PathId{2});
  EXPECT_EQ(feedback.echoed, sent_time(TimePoint{3s}));
  EXPECT_EQ(feedback.held, 4ms);
}

class SentPacketsTest : public ::testing::Test {
 protected:
  SentPacketsTest() {
    for (std::uint64_t i = 0; i < 6; ++i) sent.sent({static_cast<PathSequence>(i), DataSize{100}, TimePoint{1s}});
  }
  SentPackets::News told(std::vector<SequenceRange> ranges) {
    return sent.take_in({PathId{}, sent_time(TimePoint{1s}), 5ms, std::move(ranges)}, TimePoint{1050ms});
  }
  static std::vector<std::uint64_t> numbers(const std::vector<SentPacket>& packets) {
    std::vector<std::uint64_t> numbers;
    for (const SentPacket& packet : packets) numbers.push_back(to_index(packet.sequence));
    return numbers;
  }

  SentPackets sent;
};

TEST_F(SentPacketsTest, LeaveWhenTheyAreToldOf) {
  const auto news = told({from_to(0, 1)});
  EXPECT_EQ(numbers(news.arrived), (std::vector<std::uint64_t>{0, 1}));
  EXPECT_TRUE(news.lost.empty());
  EXPECT_EQ(news.round_trip, 45ms);
  EXPECT_EQ(sent.in_flight().packets, 4U);
  EXPECT_EQ(sent.in_flight().size, DataSize{400});
}

TEST_F(SentPacketsTest, AreLostWhenThreeNewerOnesHaveArrived) {
  EXPECT_TRUE(told({from_to(1, 2)}).lost.empty());
  EXPECT_EQ(numbers(told({from_to(1, 3)}).lost), (std::vector<std::uint64_t>{0}));
  EXPECT_EQ(sent.in_flight().packets, 2U);
}

TEST_F(SentPacketsTest, OldNewsMeasuresNothing) {
  told({from_to(0, 3)});
  EXPECT_FALSE(told({from_to(0, 2)}).round_trip);
}

TEST_F(SentPacketsTest, FeedbackOfNumbersThatWereNeverSentChangesNothing) {
  const auto news = told({from_to(0, 6)});
  EXPECT_TRUE(news.arrived.empty());
  EXPECT_EQ(sent.in_flight().packets, 6U);
}

TEST_F(SentPacketsTest, AreGivenUpTogether) {
  EXPECT_EQ(sent.abandon().size(), 6U);
  EXPECT_EQ(sent.in_flight().packets, 0U);
  EXPECT_FALSE(sent.oldest_sent_at());
}

}  // namespace
}  // namespace tributary::bonding
