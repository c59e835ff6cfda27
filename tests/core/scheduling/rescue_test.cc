#include "core/scheduling/rescue.hh"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "core/scheduling/take_over.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr LinkId kDying{0};
constexpr LinkId kSound{1};
constexpr LinkId kThird{2};
constexpr SegmentIndex kWanted{7};
constexpr TimePoint kThen{10s};

class RescueTest : public ::testing::Test {
 protected:
  void owes(LinkId link, DataSize begin, DataSize end) {
    requests_.add({id_, link, kWanted, 0, {begin, end}, 0, kThen, {}, {}, false, {}, {}, {}});
    id_ = next(id_);
  }
  std::optional<Rescue> asked(LinkId asking, Duration until_due) {
    return rescue({asking, links_, requests_, kWanted}, kThen + until_due, kThen);
  }
  LinkNow& link(LinkId id) { return links_[to_index(id)]; }

  OutstandingRequests requests_;
  // 100 kB/s, 300 kB/s and 200 kB/s.
  std::array<LinkNow, 3> links_{
      {{kDying, 800_kbps, 600ms, 20ms}, {kSound, 2400_kbps, {}, 20ms}, {kThird, 1600_kbps, {}, 20ms}}};

 private:
  RequestId id_{1};
};

TEST_F(RescueTest, WhatASilentLinkOwesIsBroughtWholeAtTheLastMoment) {
  owes(kDying, 0_kB, 300_kB);  // from the other one in 1.02 s
  EXPECT_FALSE(asked(kSound, 1700ms)) << "there is time to wait: it may speak again";
  const auto found = asked(kSound, 1500ms);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from, RequestId{1});
  EXPECT_EQ(found->range, (ByteRange{0_kB, 300_kB}));
  EXPECT_EQ(found->silent, 600ms);
}

TEST_F(RescueTest, ALinkThatSpeaksIsNotDead) {
  owes(kDying, 0_kB, 300_kB);
  link(kDying).silent = 400ms;
  EXPECT_FALSE(asked(kSound, 0s));
  link(kDying).silent = 600ms;
  link(kDying).round_trip = 400ms;
  EXPECT_FALSE(asked(kSound, 0s)) << "not even two round trips";
}

TEST_F(RescueTest, AShortTailIsRescuedToo) {
  owes(kDying, 0_kB, 1_kB);
  EXPECT_TRUE(asked(kSound, 200ms));
}

TEST_F(RescueTest, ALinkThatWasNeverMeasuredMayBeDeadAfterASecond) {
  owes(kDying, 0_kB, 100_kB);
  link(kDying).rate.reset();
  EXPECT_FALSE(asked(kSound, 0s));
  link(kDying).silent = 1s;
  EXPECT_TRUE(asked(kSound, 0s));
}

TEST_F(RescueTest, ALinkThatBringsNextToNothingIsAsGoodAsDead) {
  owes(kDying, 0_kB, 300_kB);
  link(kDying).silent = {};
  link(kDying).lately = 400_kbps;  // 51 kB in the time in which the other one brings all
  EXPECT_FALSE(asked(kSound, 0s));
  link(kDying).lately = 100_kbps;
  EXPECT_TRUE(asked(kSound, 0s));
}

TEST_F(RescueTest, WhatIsBehindOtherBytesOfACrawlingLinkIsLostWithThem) {
  owes(kDying, 0_kB, 100_kB);
  owes(kDying, 100_kB, 105_kB);
  link(kDying).silent = {};
  link(kDying).lately = 200_kbps;  // 9 kB in the time in which the other one brings both
  requests_.find(RequestId{1})->taken_over_from = 0_kB;
  const auto found = asked(kSound, 0s);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from, RequestId{2});
}

TEST_F(RescueTest, ALongSilenceIsNoLossAndLeavesMoreToSpare) {
  owes(kDying, 0_kB, 300_kB);  // from the other one in 1.02 s
  link(kDying).silent = 1s;
  EXPECT_FALSE(asked(kSound, 2400ms));
  EXPECT_TRUE(asked(kSound, 2200ms));
}

TEST_F(RescueTest, WhoWouldBringItSoonerIsLeftToDoSo) {
  owes(kDying, 0_kB, 300_kB);
  EXPECT_FALSE(asked(kThird, 0s));
  owes(kSound, 300_kB, 900_kB);
  EXPECT_TRUE(asked(kThird, 0s)) << "the faster link is busy for two seconds";
}

TEST_F(RescueTest, ALinkThatMayBeDeadItselfRescuesNobody) {
  owes(kDying, 0_kB, 300_kB);
  link(kSound).silent = 600ms;
  EXPECT_FALSE(asked(kSound, 0s));
  EXPECT_TRUE(asked(kThird, 0s));
}

TEST_F(RescueTest, ThereIsTimeEnoughIfTheSlowestLinkCouldBringAll) {
  owes(kDying, 0_kB, 200_kB);
  owes(kSound, 200_kB,
       300_kB);  // all of it from the slowest in 3.62 s, with its silence; in 4.525 s if that takes longer
  EXPECT_FALSE(time_enough(links_, requests_, kThen + 5500ms, kThen));
  EXPECT_TRUE(time_enough(links_, requests_, kThen + 5600ms, kThen));
  link(kThird).rate.reset();
  EXPECT_FALSE(time_enough(links_, requests_, kThen + 1h, kThen)) << "nobody knows what that one brings";
}

TEST(TimeEnough, NothingIsFoundThen) {
  std::mt19937 random{1};  // its numbers are the same everywhere
  const auto below = [&](std::uint32_t n) { return static_cast<int>(random() % n); };
  int enough = 0;
  for (int round = 0; round < 5000; ++round) {
    std::vector<LinkNow> links;
    for (std::uint32_t id = 0; id < 3; ++id) {
      LinkNow& link = links.emplace_back(LinkNow{LinkId{id}, DataRate::bits_per_second(1e5 + 1000 * below(4000))});
      link.silent = 1ms * below(900);
      link.round_trip = 1ms * below(600);
      if (below(2) == 0) link.lately = DataRate::bits_per_second(1000 * below(1000));
    }
    OutstandingRequests requests;
    for (std::uint32_t id = 1; id <= 4; ++id) {
      const DataSize begin{50'000 * id}, end = begin + DataSize{1 + below(50'000)};
      const LinkId link{static_cast<std::uint32_t>(below(3))};
      requests.add(
          {RequestId{id}, link, kWanted, 0, {begin, end}, 0, kThen - 1s, {}, {}, false, {}, 1ms * below(500), {}});
    }
    const TimePoint due = kThen + 1ms * below(8000);
    if (!time_enough(links, requests, due, kThen)) continue;
    ++enough;
    for (const LinkNow& link : links) {
      ASSERT_FALSE(rescue({link.link, links, requests, kWanted}, due, kThen)) << "round " << round;
      ASSERT_FALSE(take_over({link.link, links, requests, kWanted}, due, {1_MB, true}, kThen)) << "round " << round;
    }
  }
  EXPECT_GT(enough, 500);
}

}  // namespace
}  // namespace tributary
