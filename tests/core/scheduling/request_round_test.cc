#include "core/scheduling/request_round.hh"

#include <gtest/gtest.h>

#include "core/links/link_changes.hh"
#include "core/session_state.hh"
#include "support/drained.hh"
#include "support/link_ids.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using testing::constant_table;
using testing::drained;
using testing::kLte;
using testing::kWifi;

SessionOptions thesis() {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kStatic;
  options.buffer_segments = 2;
  return options;
}

class RequestRoundTest : public ::testing::Test {
 protected:
  std::vector<action::SendRequest> asked() {
    round.ask(s);
    return drained<action::SendRequest>(s.actions);
  }

  SessionState s{constant_table(10, {100_kB, 1000_kB}), thesis()};
  RequestRound round{s.options, s.rules};
};

TEST_F(RequestRoundTest, AsksUntilNoLinkHasRoom) {
  EXPECT_TRUE(asked().empty());
  for (const LinkId link : {kWifi, kLte}) take_in(event::LinkUp{link, "a link"}, s);
  EXPECT_EQ(asked().size(), 4U);  // two requests a link
  EXPECT_TRUE(asked().empty());
}

TEST_F(RequestRoundTest, AsksAStandbyLinkIfThereIsNoOther) {
  take_in(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded}, s);
  round.ask(s);
  EXPECT_TRUE(s.links.at(kLte).needed);
  EXPECT_EQ(s.book.outstanding().count(kLte), 2U);
}

TEST_F(RequestRoundTest, LooksAgainAsLongAsALinkMayBecomeNeeded) {
  take_in(event::LinkUp{kWifi, "wifi"}, s);
  take_in(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded}, s);
  round.ask(s);
  EXPECT_FALSE(s.links.at(kLte).needed);
  EXPECT_TRUE(round.looks_again());
}

TEST_F(RequestRoundTest, SparesALinkThatCostsSomething) {
  LinkCost paid;
  paid.kind = CostKind::kPaid;
  s.spending.costs.told(kLte, paid);
  for (const LinkId link : {kWifi, kLte}) take_in(event::LinkUp{link, "a link"}, s);
  for (const action::SendRequest& sent : asked()) EXPECT_EQ(sent.link, kWifi);
  EXPECT_EQ(s.book.outstanding().count(kWifi), 2U);
  EXPECT_TRUE(round.looks_again());  // its last moment comes without an event
}

}  // namespace
}  // namespace tributary
