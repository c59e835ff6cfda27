#include "core/scheduling/last_call.hh"

#include <gtest/gtest.h>

#include <array>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

constexpr LinkId kFreeLink{0}, kPaidLink{1};
constexpr SegmentIndex kCalled{7};
constexpr TimePoint kCallTime{10s};

/// The free link brings 100 kB/s, the paid one 1 MB/s.
class LastCallTest : public ::testing::Test {
 protected:
  void owes(LinkId link, DataSize begin, DataSize end, SegmentIndex segment = kCalled) {
    requests_.add({id_, link, segment, 0, {begin, end}, 0, kCallTime, {}, {}, false, {}, {}, {}});
    id_ = next(id_);
  }
  std::optional<LastCall> decide(Duration until_due) const {
    LinkEstimate asking;
    asking.link = kPaidLink;
    asking.throughput = 8_Mbps;
    return last_call(asking, {asking.link, links_, requests_, kCalled}, kCallTime + until_due, kCallTime);
  }

  std::array<LinkNow, 2> links_{{{kFreeLink, 800_kbps, {}, {}}, {kPaidLink, 8_Mbps, {}, {}}}};

 private:
  OutstandingRequests requests_;
  RequestId id_{1};
};

TEST_F(LastCallTest, WaitsUntilTheLastMoment) {
  owes(kFreeLink, 0_kB, 500_kB);  // takes 5 s, and .5 s over the paid link
  EXPECT_FALSE(decide(3s));
  EXPECT_FALSE(decide(600ms));
  const auto found = decide(500ms);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->from, RequestId{1});
  EXPECT_EQ(found->range, (ByteRange{0_kB, 500_kB}));
  EXPECT_EQ(found->late, 4500ms);
  EXPECT_TRUE(decide(-1s));
}

TEST_F(LastCallTest, LeavesWhatComesSoonerOverTheFreeLink) {
  owes(kFreeLink, 0_kB, 40_kB);
  owes(kPaidLink, 0_kB, 900_kB, SegmentIndex{6});
  EXPECT_FALSE(decide(500ms)) << "in time";
  LinkEstimate busy;
  busy.link = kPaidLink;
  busy.throughput = 8_Mbps;
  busy.free_in = 900ms;
  OutstandingRequests requests;
  requests.add({RequestId{1}, kFreeLink, kCalled, 0, {0_kB, 40_kB}, 0, kCallTime, {}, {}, false, {}, {}, {}});
  EXPECT_FALSE(last_call(busy, {busy.link, links_, requests, kCalled}, kCallTime + 100ms, kCallTime))
      << "late, but sooner than from here";
}

TEST_F(LastCallTest, CountsOnTheRateOfTheLastSecondIfItIsLower) {
  owes(kFreeLink, 0_kB, 50_kB);
  EXPECT_FALSE(decide(550ms));
  links_[0].lately = 80_kbps;  // 5 s
  EXPECT_FALSE(decide(550ms)) << "not the last moment";
  EXPECT_TRUE(decide(50ms));
  links_[0].lately = DataRate{};
  EXPECT_TRUE(decide(50ms)) << "nothing comes";
}

TEST_F(LastCallTest, AsksOnlyOnceForEachRange) {
  owes(kFreeLink, 0_kB, 500_kB);
  owes(kPaidLink, 0_kB, 500_kB);
  EXPECT_FALSE(decide(0ms));
}

TEST_F(LastCallTest, CountsWhatTheFreeLinkOwesBefore) {
  owes(kFreeLink, 0_kB, 500_kB, SegmentIndex{6});
  owes(kFreeLink, 0_kB, 10_kB);  // behind it
  EXPECT_TRUE(decide(10ms));
  EXPECT_EQ(decide(10ms)->late, 5090ms);
}

TEST_F(LastCallTest, NothingIsOwed) { EXPECT_FALSE(decide(0ms)); }

}  // namespace
}  // namespace tributary
