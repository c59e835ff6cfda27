#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kWifi;
using testing::SessionDriver;

SessionOptions over_lanes(std::uint32_t connections) {
  SessionOptions options;
  options.mode = StreamingMode::kDownload;
  options.buffer_segments = 8;
  options.connections = connections;
  return options;
}

/// Does what the session wants of connections.
void open_lanes(SessionDriver& d) {
  std::set<LinkId> up;
  for (const auto& [id, _] : d.session().links().all()) up.insert(id);
  for (const auto& open : d.all<action::OpenLane>()) {
    if (!up.contains(open.lane)) d.happens(event::LinkUp{open.lane, "wifi"});
  }
}

std::size_t lanes(const SessionDriver& d) { return d.session().links().all().size(); }

std::set<LinkId> asked(const SessionDriver& d) {
  std::set<LinkId> result;
  for (const auto& request : d.all<action::SendRequest>()) result.insert(request.link);
  return result;
}

TEST(Lanes, AreLinksOfTheirOwnForTheScheduler) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(3)};
  d.link_up(0, "wifi");
  open_lanes(d);
  ASSERT_EQ(lanes(d), 3U);
  EXPECT_EQ(asked(d), (std::set{kWifi, lane_of(kWifi, 1), lane_of(kWifi, 2)}));
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
}

TEST(Lanes, AreNoneWhereOneIsWanted) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(1)};
  d.link_up(0, "wifi");
  d.wait(10s);
  EXPECT_TRUE(d.all<action::OpenLane>().empty());
}

TEST(Lanes, GoDownWithTheirLink) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(2)};
  d.link_up(0, "wifi");
  open_lanes(d);
  d.link_up(1, "lte");
  d.happens(event::LinkDown{kWifi, "out of range"});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (link_of(d.request(id).link) == kWifi) d.fail(id, FailureReason::kLinkDown);
  }
  EXPECT_EQ(d.all<action::CloseLane>().size(), 1U);
  EXPECT_FALSE(d.session().links().all().contains(lane_of(kWifi, 1)));
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
}

TEST(Lanes, AreFewerOnceTheServerRefusesOne) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(4)};
  d.link_up(0, "wifi");
  open_lanes(d);
  const LinkId refused = lane_of(kWifi, 3);
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (d.request(id).link == refused) d.fail(id, FailureReason::kServerBusy);
  }
  EXPECT_FALSE(d.session().links().all().contains(refused));
  EXPECT_EQ(d.all<action::CloseLane>().size(), 1U);
  const std::size_t opened = d.all<action::OpenLane>().size();
  d.wait(30s);
  EXPECT_EQ(d.all<action::OpenLane>().size(), opened);
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
}

TEST(Lanes, ThatAreRefusedSayNothingAboutTheFile) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(6)};
  d.link_up(0, "wifi");
  open_lanes(d);
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (is_lane(d.request(id).link)) d.fail(id, FailureReason::kUnauthorized);
  }
  d.answer_all();
  EXPECT_TRUE(d.session().finished());
  EXPECT_TRUE(d.all<action::Finish>().back().complete);
}

TEST(Lanes, AreTwoBesideAnotherConnectionUntilAllHaveBroughtTheirPart) {
  SessionDriver d{constant_table(40, {400_kB}), over_lanes(0)};
  d.happens(event::LinkUp{.link = kWifi, .name = "wifi", .one_connection = 2_Mbps});
  EXPECT_EQ(d.all<action::OpenLane>().size(), 1U);
}

}  // namespace
}  // namespace tributary
