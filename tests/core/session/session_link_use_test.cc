#include <gtest/gtest.h>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::kLte;
using testing::kWifi;
using testing::SessionDriver;

SessionOptions without_duplicates() {
  SessionOptions result;
  result.subsegments = SubsegmentApproach::kStatic;
  result.duplicates_percent = 0;
  return result;
}

std::vector<action::SendRequest> asked(const SessionDriver& d, LinkId link) {
  std::vector<action::SendRequest> result;
  for (const auto& request : d.all<action::SendRequest>()) {
    if (request.link == link) result.push_back(request);
  }
  return result;
}

void answer(SessionDriver& d, LinkId link) {
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (d.request(id).link == link) return d.answer(id);
  }
}

void fail_all(SessionDriver& d, LinkId link, FailureReason reason) {
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (d.request(id).link == link) d.fail(id, reason);
  }
}

TEST(LinkUse, ALinkThatIsOffIsAskedForNothing) {
  SessionDriver d{constant_table(20, {300_kB}), without_duplicates()};
  d.happens(event::LinkUp{kLte, "lte", LinkUse::kDoNotUse});
  d.link_up(0, "wifi");
  d.answer_all();
  EXPECT_TRUE(asked(d, kLte).empty());
  d.happens(event::LinkUseChanged{kLte, LinkUse::kUse});
  d.wait(2s);
  EXPECT_FALSE(asked(d, kLte).empty());
}

TEST(LinkUse, WhatALinkOwesWhenItIsSwitchedOffIsAskedOfTheOthers) {
  SessionDriver d{constant_table(20, {400_kB}), without_duplicates()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.happens(event::LinkUseChanged{kLte, LinkUse::kDoNotUse});
  ASSERT_EQ(d.all<action::AbandonRequests>().size(), 1U);
  EXPECT_EQ(d.all<action::AbandonRequests>()[0].link, kLte);
  const std::size_t to_lte = asked(d, kLte).size();
  fail_all(d, kLte, FailureReason::kAbandoned);
  EXPECT_TRUE(d.all<action::AvoidLink>().empty());
  answer(d, kWifi);
  answer(d, kWifi);
  answer(d, kWifi);
  answer(d, kWifi);
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 1U);
  EXPECT_EQ(asked(d, kLte).size(), to_lte);
}

TEST(LinkUse, WhoSwitchesAllLinksOffIsWaitedFor) {
  SessionDriver d{constant_table(20, {400_kB}), without_duplicates()};
  d.link_up(0, "wifi");
  d.happens(event::LinkUseChanged{kWifi, LinkUse::kDoNotUse});
  fail_all(d, kWifi, FailureReason::kAbandoned);
  for (int i = 0; i < 20; ++i) {
    d.wait(10s);
    d.happens(event::DeadlineReached{});
  }
  EXPECT_TRUE(d.all<action::Finish>().empty());
  d.happens(event::LinkUseChanged{kWifi, LinkUse::kUse});
  d.answer_all();
  EXPECT_FALSE(d.all<action::DeliverSegment>().empty());
}

TEST(LinkUse, AStandbyIsUsedWhereThereIsNoOtherLink) {
  SessionDriver d{constant_table(20, {400_kB}), without_duplicates()};
  d.happens(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded});
  ASSERT_EQ(d.all<action::NeedLink>().size(), 1U);
  EXPECT_EQ(d.all<action::NeedLink>()[0].reason, "there is no other link");
  const std::size_t before = asked(d, kLte).size();
  EXPECT_GT(before, 0U);
  d.link_up(0, "wifi");
  EXPECT_FALSE(d.all<action::NeedLink>().back().needed);
  d.answer_all();
  EXPECT_EQ(asked(d, kLte).size(), before);
  d.happens(event::LinkDown{kWifi, "gone"});
  EXPECT_TRUE(d.all<action::NeedLink>().back().needed);
}

TEST(LinkUse, AStandbyHelpsWhenTheBufferRunsLowAndTheOthersCannotKeepUp) {
  SessionDriver d{constant_table(60, {100_kB}), without_duplicates()};  // 400 kbit/s
  d.link_up(0, "wifi");
  d.happens(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded});
  for (int i = 0; i < 8; ++i) {
    d.wait(200ms);
    answer(d, kWifi);
  }
  EXPECT_TRUE(d.all<action::NeedLink>().empty());  // low at the beginning, but it keeps up
  d.wait(8s);                                      // wifi says nothing any more
  ASSERT_EQ(d.all<action::NeedLink>().size(), 1U);
  EXPECT_TRUE(d.all<action::NeedLink>()[0].needed);
  EXPECT_NE(d.all<action::NeedLink>()[0].reason.find("the other links bring 0 kbit/s of the 400 kbit/s"),
            std::string::npos)
      << d.all<action::NeedLink>()[0].reason;
  fail_all(d, kWifi, FailureReason::kStalled);
  const std::size_t before = asked(d, kLte).size();
  d.answer_all();
  EXPECT_GT(asked(d, kLte).size(), before);
  EXPECT_FALSE(d.all<action::NeedLink>().back().needed);  // the buffer is full again
}

TEST(LinkUse, AStandbyRaisesNoQuality) {
  SessionDriver d{constant_table(60, {100_kB, 5'000_kB}), without_duplicates()};
  d.link_up(0, "wifi");
  d.happens(event::LinkUp{kLte, "lte", LinkUse::kWhenNeeded});
  for (const auto& started : d.all<action::StartSegment>()) EXPECT_FALSE(started.throughput);
  while (d.all<action::DeliverSegment>().size() < 8) {
    d.wait(100ms);  // 8 Mbit/s
    answer(d, kWifi);
  }
  const auto throughput = d.all<action::StartSegment>().back().throughput;
  ASSERT_TRUE(throughput);
  EXPECT_NEAR(throughput->bits_per_second(), 8e6, 1e5);
}

}  // namespace
}  // namespace tributary
