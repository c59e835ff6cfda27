#include "core/next_deadline.hh"

#include <gtest/gtest.h>

#include "core/links/link_changes.hh"
#include "core/scheduling/request_round.hh"
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

class NextDeadlineTest : public ::testing::Test {
 protected:
  SessionState s{constant_table(10, {100_kB}), {}};
  RequestRound round{s.options, s.rules};
};

TEST_F(NextDeadlineTest, WithoutALinkItIsTheMomentToGiveUp) {
  round.ask(s);
  EXPECT_EQ(next_deadline(s, round), TimePoint{60s});
}

TEST_F(NextDeadlineTest, IsWhenASegmentIsDue) {
  s.timeline.start_next();
  s.playout.add(segment(0), 2s, s.now, s.actions);
  s.playout.start_if_ready(1, false, s.now, s.actions);
  EXPECT_EQ(next_deadline(s, round), TimePoint{2s});
}

TEST_F(NextDeadlineTest, IsWhenALinkMayBeUsedAgain) {
  take_in(event::LinkUp{kWifi, "wifi"}, s);
  s.links.at(kWifi).avoided_until = TimePoint{250ms};
  round.ask(s);
  EXPECT_EQ(next_deadline(s, round), TimePoint{250ms});
}

TEST_F(NextDeadlineTest, IsSoonAsLongAsAStandbyLinkMayBeNeeded) {
  take_in(event::LinkUp{kWifi, "wifi"}, s);
  take_in(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded}, s);
  s.now = TimePoint{1s};
  round.ask(s);
  EXPECT_EQ(next_deadline(s, round), s.now + Scheduler::kLookAgain);
}

TEST_F(NextDeadlineTest, OfNothingToWaitForThereIsNone) {
  while (!s.timeline.all_started()) s.timeline.start_next();
  s.options.stays_open = true;
  s.now = s.wait.since() + s.options.give_up_after;
  round.ask(s);
  EXPECT_EQ(next_deadline(s, round), std::nullopt);
}

}  // namespace
}  // namespace tributary
