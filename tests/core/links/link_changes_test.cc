#include "core/links/link_changes.hh"

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
using testing::kLte;
using testing::kWifi;
using testing::segment;

const event::LinkUp kRemembered{kWifi, "wifi", LinkUse::kUse, 8_Mbps, 20ms};

class LinkChangesTest : public ::testing::Test {
 protected:
  static SessionOptions starting(StartRule start) {
    SessionOptions options;
    options.start = start;
    return options;
  }

  SessionState s{constant_table(2, {100_kB}), starting(StartRule::kFast)};
};

TEST_F(LinkChangesTest, AFastStartCountsOnWhatIsRemembered) {
  take_in(kRemembered, s);
  EXPECT_TRUE(s.links.at(kWifi).remembered);
  SessionState thesis{constant_table(2, {100_kB}), starting(StartRule::kThesis)};
  take_in(kRemembered, thesis);
  EXPECT_FALSE(thesis.links.at(kWifi).remembered);
}

TEST_F(LinkChangesTest, MoneyDoesNotDependOnWhatIsRemembered) {
  LinkCost paid;
  paid.kind = CostKind::kPaid;
  s.spending.costs.told(kWifi, paid);
  take_in(kRemembered, s);
  EXPECT_FALSE(s.links.at(kWifi).remembered);
}

TEST_F(LinkChangesTest, ALinkThatIsSwitchedOffEndsItsRequests) {
  for (const LinkId link : {kWifi, kLte}) take_in(event::LinkUp{link, "a link"}, s);
  s.book.add(s.book.begin(segment(0), QualityIndex{0}, s.timeline.table()));
  s.send(kWifi, s.book.segments().front(), {0, {0_B, 50_kB}, std::nullopt, 0}, "");
  drained<action::SendRequest>(s.actions);
  take_in(event::LinkUseChanged{kLte, LinkUse::kDoNotUse}, s);
  EXPECT_TRUE(drained<action::AbandonRequests>(s.actions).empty());  // it has none
  take_in(event::LinkUseChanged{kWifi, LinkUse::kWhenNeeded}, s);
  EXPECT_TRUE(drained<action::AbandonRequests>(s.actions).empty());  // it brings them
  take_in(event::LinkUseChanged{kWifi, LinkUse::kDoNotUse}, s);
  EXPECT_EQ(drained<action::AbandonRequests>(s.actions).size(), 1U);
  EXPECT_FALSE(s.links.at(kWifi).usable(s.now));
}

TEST_F(LinkChangesTest, AnUnknownLinkIsNotSwitched) {
  take_in(event::LinkUseChanged{kWifi, LinkUse::kDoNotUse}, s);
  EXPECT_TRUE(s.links.empty());
}

TEST_F(LinkChangesTest, ALinkThatIsDownIsNotUsable) {
  take_in(event::LinkUp{kWifi, "wifi"}, s);
  EXPECT_TRUE(s.links.at(kWifi).usable(s.now));
  take_in(event::LinkDown{kWifi, "no carrier"}, s);
  EXPECT_FALSE(s.links.at(kWifi).usable(s.now));
}

TEST_F(LinkChangesTest, RoundTripsAreKnownOfTheLink) {
  take_in(event::LinkUp{kWifi, "wifi"}, s);
  take_in(event::RoundTripMeasured{kWifi, 50ms, 40ms}, s);
  EXPECT_EQ(s.links.at(kWifi).least_round_trip.value(), 40ms);
  EXPECT_GT(s.links.at(kWifi).round_trip.value(), Duration::zero());
}

}  // namespace
}  // namespace tributary
