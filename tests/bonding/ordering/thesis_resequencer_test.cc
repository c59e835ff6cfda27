#include "bonding/ordering/thesis_resequencer.hh"

#include <gtest/gtest.h>

namespace tributary::bonding {
namespace {

using namespace std::chrono_literals;

constexpr PathId kOne{1}, kTwo{2};

/// Two paths; packets have their number in them, and what is released is shown as text.
class ThesisResequencerTest : public ::testing::Test {
 protected:
  ThesisResequencerTest() {
    resequencer.path_joined(kOne);
    resequencer.path_joined(kTwo);
  }
  std::string shown(const std::vector<Bytes>& released) {
    std::string text;
    for (const Bytes& packet : released) text += std::to_string(std::to_integer<int>(packet.front())) + " ";
    if (!text.empty()) text.pop_back();
    return text;
  }
  std::string arrives(PathId path, std::uint8_t number) {
    return shown(resequencer.arrived({path, static_cast<GlobalSequence>(number), {}, Bytes{std::byte{number}}}, now));
  }
  std::string expires() {
    now = resequencer.next_deadline().value();
    return shown(resequencer.wake(now));
  }

  ThesisResequencer resequencer;
  TimePoint now{5s};
};

/// Figure 5.6 (a): all in order.
TEST_F(ThesisResequencerTest, ReleasesWhatIsInOrder) {
  EXPECT_EQ(arrives(kOne, 0), "0");
  EXPECT_EQ(arrives(kTwo, 1), "1");
  EXPECT_EQ(arrives(kOne, 2), "2");
  EXPECT_FALSE(resequencer.next_deadline());
}

TEST_F(ThesisResequencerTest, APacketThatSolvesReorderingTakesOthersAlong) {
  arrives(kOne, 0);
  EXPECT_EQ(arrives(kOne, 2), "");
  EXPECT_EQ(arrives(kOne, 3), "");
  EXPECT_EQ(resequencer.held(), DataSize{2});
  EXPECT_EQ(arrives(kTwo, 1), "1 2 3");
  EXPECT_EQ(resequencer.held(), DataSize{});
}

/// Figure 5.6 (b): of 1, 2, 3 and 5, the 5 is held, since 4 may still come.
TEST_F(ThesisResequencerTest, HoldsWhatAnotherPathMayStillPrecede) {
  arrives(kOne, 0);
  EXPECT_EQ(arrives(kOne, 1), "1");
  EXPECT_EQ(arrives(kTwo, 2), "2");
  EXPECT_EQ(arrives(kTwo, 3), "3");
  EXPECT_EQ(arrives(kTwo, 5), "");
}

/// Figure 5.6 (c): 3 and 4 are lost, since both paths have brought later ones: all four are released.
TEST_F(ThesisResequencerTest, WhatNoPathCanBringAnyMoreIsNotWaitedFor) {
  arrives(kOne, 0);
  EXPECT_EQ(arrives(kOne, 1), "1");
  EXPECT_EQ(arrives(kTwo, 2), "2");
  EXPECT_EQ(arrives(kOne, 6), "");
  EXPECT_EQ(arrives(kTwo, 5), "5 6");
}

TEST_F(ThesisResequencerTest, ReleasesLatePacketsAtOnce) {
  arrives(kOne, 3);
  arrives(kTwo, 4);
  EXPECT_EQ(arrives(kOne, 1), "1");
}

TEST_F(ThesisResequencerTest, TwoTimeOutsReleaseOneAndTheThirdAll) {
  resequencer.one_way_delay(kOne, 20ms);
  arrives(kOne, 0);
  for (const std::uint8_t number : {2, 4, 6, 8, 9}) arrives(kOne, number);
  EXPECT_EQ(resequencer.next_deadline(), now + 60ms);  // 20 + 4 * 10, RFC 6298
  EXPECT_EQ(expires(), "2");
  EXPECT_EQ(resequencer.next_deadline(), now + 60ms);
  EXPECT_EQ(expires(), "4");
  EXPECT_EQ(expires(), "6 8 9");
  EXPECT_FALSE(resequencer.next_deadline());
}

TEST_F(ThesisResequencerTest, APacketInOrderBeginsTheTimeOutsAnew) {
  resequencer.one_way_delay(kOne, 20ms);
  for (const std::uint8_t number : {0, 2, 4, 7, 9}) arrives(kOne, number);
  EXPECT_EQ(expires(), "2");
  EXPECT_EQ(expires(), "4");
  now += 10ms;
  EXPECT_EQ(arrives(kTwo, 5), "5");
  EXPECT_EQ(resequencer.next_deadline(), now + 60ms);
  EXPECT_EQ(expires(), "7");
  EXPECT_EQ(expires(), "9");
}

TEST_F(ThesisResequencerTest, TheLongestDelayCounts) {
  resequencer.one_way_delay(kOne, 20ms);
  resequencer.one_way_delay(kTwo, 100ms);
  arrives(kOne, 0);
  arrives(kOne, 2);
  EXPECT_EQ(resequencer.next_deadline(), now + 300ms);
}

TEST_F(ThesisResequencerTest, APathThatLeftIsNotWaitedFor) {
  arrives(kOne, 0);
  EXPECT_EQ(arrives(kOne, 2), "");
  EXPECT_EQ(shown(resequencer.path_left(kTwo, now)), "2");
  EXPECT_EQ(arrives(kOne, 4), "4");
}

}  // namespace
}  // namespace tributary::bonding
