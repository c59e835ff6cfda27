#include "core/scheduling/repairs.hh"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kLte;
using testing::kWifi;
using testing::segment;

/// One segment of 100 kB, two links of 1 Mbit/s that have been measured.
class RepairsTest : public ::testing::Test {
 protected:
  RepairsTest() {
    for (const auto& [id, name] : {std::pair{kWifi, "wifi"}, std::pair{kLte, "lte"}}) {
      s.links.up(id, name, LinkUse::kUse, std::nullopt);
      s.links.at(id).estimator->request_done(125_kB, TimePoint{}, TimePoint{1s});
      s.links.at(id).round_trip.sample(20ms, 20ms);
      s.links.at(id).least_round_trip.sample(20ms, TimePoint{1s});
    }
    s.now = TimePoint{1s};
    s.book.add(s.book.begin(segment(0), QualityIndex{0}, s.timeline.table()));
  }

  SegmentAssembly& assembly() { return s.book.segments().front(); }
  RequestId send(LinkId link, ByteRange range) {
    assembly().take_new(range.size());
    s.send(link, assembly(), {0, range, std::nullopt, 0}, "");
    return s.book.outstanding().all().back().id;
  }
  void fail(RequestId id) {
    const OutstandingRequest failed = *s.book.find(id);
    s.book.remove(id);
    s.book.want_again(failed, 0);
  }
  std::optional<Repair> find(const RepairRule& rule, LinkId link, std::optional<TimePoint> due = std::nullopt) {
    present = s.links_now();
    return rule.find({link, present, assembly(), due, {10_kB, true}}, s);
  }

  SessionState s{constant_table(3, {100_kB}), {}};
  LinksNow present;
};

TEST_F(RepairsTest, WhatALostLinkOwedIsHandedOver) {
  fail(send(kWifi, {0_B, 50_kB}));
  EXPECT_FALSE(find(HandOver{}, kLte));  // the link is there
  s.links.down(kWifi);
  const auto repair = find(HandOver{}, kLte);
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->given_back, 0U);
  EXPECT_EQ(repair->reason, "again: failed on wifi");
}

TEST_F(RepairsTest, WhatFailedIsAskedOfAnotherLinkIfThereIsOne) {
  fail(send(kWifi, {0_B, 50_kB}));
  EXPECT_FALSE(find(AskAgain{}, kWifi));
  EXPECT_TRUE(find(AskAgain{}, kLte));
  s.links.down(kLte);
  EXPECT_TRUE(find(AskAgain{}, kWifi));
}

TEST_F(RepairsTest, WhatALinkMayNotBringIsAskedOfAnyOther) {
  assembly().take_new(50_kB);
  assembly().give_back({0, {0_B, 50_kB}, std::nullopt, 0});  // nobody was asked for it
  const auto repair = find(AskAgain{}, kWifi);
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->reason, "more than another link may bring");
}

TEST_F(RepairsTest, ASilentLinkIsRescuedWhenItIsTime) {
  s.rules.take_over = false;
  const RequestId lost = send(kWifi, {0_B, 50_kB});
  s.now += 3s;
  EXPECT_FALSE(find(RepairLate{}, kLte, s.now + 60s));
  const auto repair = find(RepairLate{}, kLte, s.now + 1s);
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->takes_over, lost);
  EXPECT_EQ(repair->range, (ByteRange{0_B, 50_kB}));
  s.rules.rescue = false;
  EXPECT_FALSE(find(RepairLate{}, kLte, s.now + 1s));
}

TEST_F(RepairsTest, TheEndOfWhatIsLateIsTakenOverAsFarAsDuplicatesAreLeft) {
  s.rules.rescue = false;
  send(kWifi, {0_B, 100_kB});  // takes .8 s
  s.now += 1s;                 // and nothing has come
  const auto repair = find(RepairLate{}, kLte, s.now + 500ms);
  ASSERT_TRUE(repair);
  EXPECT_EQ(repair->range, (ByteRange{90_kB, 100_kB}));
  s.rules.take_over = false;
  EXPECT_FALSE(find(RepairLate{}, kLte, s.now + 500ms));
}

TEST_F(RepairsTest, WhatMayBeLostIsRescuedBeforeItsEndIsTakenOver) {
  send(kWifi, {0_B, 100_kB});
  s.now += 1s;
  EXPECT_EQ(find(RepairLate{}, kLte, s.now + 500ms)->range, (ByteRange{0_B, 100_kB}));
  s.rules.rescue = false;
  EXPECT_EQ(find(RepairLate{}, kLte, s.now + 500ms)->range, (ByteRange{90_kB, 100_kB}));
}

TEST_F(RepairsTest, NothingIsDuplicatedWherePartsComeWhole) {
  send(kWifi, {0_B, 50_kB});
  EXPECT_TRUE(may_duplicate(s));
  s.book.ask_for_whole_parts();
  EXPECT_FALSE(may_duplicate(s));
}

}  // namespace
}  // namespace tributary
