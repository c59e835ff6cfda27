#include "core/session_end.hh"

#include <gtest/gtest.h>

#include "core/session_state.hh"
#include "support/drained.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::drained;
using testing::kWifi;

class SessionEndTest : public ::testing::Test {
 protected:
  /// Nothing is received any more, and all was started.
  void receive_all() {
    while (!s.timeline.all_started()) s.timeline.start_next();
  }
  void look() { end.look("; the last failure: none", s); }

  SessionState s{constant_table(2, {100_kB}), {}};
  SessionEnd end;
};

TEST_F(SessionEndTest, IsReachedWhenEverySegmentIsReceived) {
  look();
  EXPECT_FALSE(end.reached());
  receive_all();
  look();
  EXPECT_TRUE(end.reached());
  const auto told = drained<action::Finish>(s.actions);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_TRUE(told[0].complete);
}

TEST_F(SessionEndTest, OfASessionThatStaysOpenIsNot) {
  s.options.stays_open = true;
  receive_all();
  look();
  look();
  EXPECT_FALSE(end.reached());
  EXPECT_EQ(drained<action::AllDelivered>(s.actions).size(), 1U);
  end.more_is_wanted();  // by a seek
  look();
  EXPECT_EQ(drained<action::AllDelivered>(s.actions).size(), 1U);
}

TEST_F(SessionEndTest, IsReachedWhenNothingCameForTooLong) {
  s.links.up(kWifi, "wifi", LinkUse::kUse, std::nullopt);
  s.now = TimePoint{59s};
  look();
  EXPECT_FALSE(end.reached());
  s.now = TimePoint{60s};
  look();
  ASSERT_TRUE(end.reached());
  const auto told = drained<action::Finish>(s.actions);
  EXPECT_FALSE(told[0].complete);
  EXPECT_EQ(told[0].reason, "no byte came for 60 s; the last failure: none");
}

TEST_F(SessionEndTest, IsReachedWhenNoLinkMayBringMore) {
  s.links.up(kWifi, "wifi", LinkUse::kUse, std::nullopt);
  LinkCost used_up;
  used_up.kind = CostKind::kMetered;
  used_up.allowed = 0_B;
  used_up.why_not_more = "its cap is used up";
  s.spending.costs.told(kWifi, used_up);
  for (const TimePoint at : {TimePoint{1s}, TimePoint{2s}}) {
    s.now = at;
    s.spending.look_for_used_up_links(s);
    look();
  }
  ASSERT_TRUE(end.reached());
  const auto told = drained<action::Finish>(s.actions);
  EXPECT_TRUE(told[0].used_up);
  EXPECT_EQ(told[0].reason, "no link is left; wifi may not bring more: its cap is used up");
}

}  // namespace
}  // namespace tributary
