#include "core/links/connection_renewal.hh"

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

/// Two links owe 50 kB each. A byte of wifi's answer came at the start.
class ConnectionRenewalTest : public ::testing::Test {
 protected:
  ConnectionRenewalTest() {
    s.book.add(s.book.begin(segment(0), QualityIndex{0}, s.timeline.table()));
    for (const LinkId link : {kWifi, kLte}) {
      s.links.up(link, "a link", LinkUse::kUse, std::nullopt);
      s.book.segments().front().take_new(50_kB);
      s.send(link, s.book.segments().front(), {0, {0_B, 50_kB}, std::nullopt, 0}, "");
    }
    s.now = TimePoint{1s};
    s.book.receive(*s.book.find(RequestId{1}), 1_B, s.now);
    s.wait.received(1_B, s.now);
  }
  std::vector<action::AbandonRequests> renewed_at(TimePoint now) {
    s.now = now;
    renew_connections(s);
    return drained<action::AbandonRequests>(s.actions);
  }

  SessionState s{constant_table(2, {100_kB}), {}};
};

TEST_F(ConnectionRenewalTest, OnlyALinkThatAnsweredGetsANewConnection) {
  EXPECT_TRUE(renewed_at(TimePoint{20s}).empty());
  const auto renewed = renewed_at(TimePoint{32s});
  ASSERT_EQ(renewed.size(), 1U);
  EXPECT_EQ(renewed[0].link, kWifi);
  EXPECT_EQ(renewed[0].reason, "next to nothing came for 30 s");
}

TEST_F(ConnectionRenewalTest, AndTheNewOneGetsAsMuchTime) {
  ASSERT_EQ(renewed_at(TimePoint{32s}).size(), 1U);
  EXPECT_TRUE(renewed_at(TimePoint{33s}).empty());
  EXPECT_EQ(renewed_at(TimePoint{62s}).size(), 1U);
}

}  // namespace
}  // namespace tributary
