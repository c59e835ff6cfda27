#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::segment;
using testing::SessionDriver;

/// Files that a player may want; the first is there from the beginning, others are added.
SegmentTable wanted_files() {
  Presentation files = testing::presentation_of({{"files", {400_kB}}});
  files.live = LiveWindow{};
  files.complete = false;
  return SegmentTable{files};
}

SessionOptions demanded_options() {
  SessionOptions options = testing::static_options(1);
  options.mode = StreamingMode::kDemanded;
  options.subsegment_size = 100_kB;
  return options;
}

struct Player : SessionDriver {
  Player() : SessionDriver{wanted_files(), demanded_options()} {
    link_up(0, "wifi");
    link_up(1, "lte");
  }
  void add(int number, DataSize size) {
    happens(event::SegmentAdded{segment(number), {TrackSegment{.size = size, .ticks = 2000}}});
  }
  void want(int number, std::optional<Duration> due_in) {
    happens(event::SegmentWanted{segment(number), due_in ? std::optional{now() + *due_in} : std::nullopt});
  }
};

TEST(DemandedSession, AsksForNothingThatNobodyWants) {
  Player player;
  player.add(1, 400_kB);
  player.wait(10s);
  EXPECT_TRUE(player.all<action::StartSegment>().empty());
  EXPECT_FALSE(player.session().finished());
}

TEST(DemandedSession, WhatIsWantedComesOverAllLinksAndIsDeliveredAtOnce) {
  Player player;
  player.want(0, 4s);
  EXPECT_EQ(player.all<action::SendRequest>().size(), 4U);
  EXPECT_EQ(player.all<action::SendRequest>().back().link, LinkId{1});
  player.answer_all();
  ASSERT_EQ(player.all<action::DeliverSegment>().size(), 1U);
  EXPECT_TRUE(player.all<action::PlaySegment>().empty());
  EXPECT_FALSE(player.session().finished());
}

TEST(DemandedSession, WhatNobodyWaitsForComesLast) {
  Player player;
  player.add(1, 1000_kB);
  player.add(2, 200_kB);
  player.want(1, std::nullopt);  // it is fetched ahead
  const std::size_t before = player.all<action::SendRequest>().size();
  player.want(2, 1s);
  for (const RequestId id : {RequestId{1}, RequestId{2}}) player.answer(id);  // links are asked by turns
  for (const RequestId id : {RequestId{3}, RequestId{4}}) player.happens(event::ResponseBegan{id});
  const auto sent = player.all<action::SendRequest>();
  ASSERT_GT(sent.size(), before + 1);
  EXPECT_EQ(sent[before].segment, segment(2));
  EXPECT_EQ(sent[before + 1].segment, segment(2));
}

TEST(DemandedSession, WhatIsWantedAtTheSameTimeComesSideBySide) {
  Player player;
  player.add(1, 1000_kB);
  player.add(2, 1000_kB);
  player.want(1, 2s);
  player.want(2, 9s);
  for (int i = 0; i < 8; ++i) player.answer(*player.unanswered().begin());
  std::map<SegmentIndex, DataSize> asked;
  for (const auto& request : player.all<action::SendRequest>()) asked[request.segment] += request.range.size();
  EXPECT_LE(std::max(asked[segment(1)], asked[segment(2)]) - std::min(asked[segment(1)], asked[segment(2)]), 400_kB)
      << "as much as was asked for before the second one was wanted";
  EXPECT_GE(asked[segment(2)], 300_kB);
}

TEST(DemandedSession, ASlowLinkBringsBytesThatTheReaderWantsLater) {
  SessionOptions options = demanded_options();
  options.subsegments = SubsegmentApproach::kBalanced;
  SessionDriver d{wanted_files(), options};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  const auto add = [&](int number) {
    d.happens(event::SegmentAdded{segment(number), {TrackSegment{.size = 400_kB, .ticks = 2000}}});
  };
  // wifi brings 1 kB in 1 ms, lte in 8 ms.
  const auto carry = [&](Duration time) {
    for (Duration t{}; t < time; t += 8ms) {
      d.wait(8ms);
      for (const int link : {0, 1}) {
        const auto& all = d.session().outstanding().all();
        const auto head = std::ranges::find(all, static_cast<LinkId>(link), &OutstandingRequest::link);
        if (head == all.end()) continue;
        const RequestId id = head->id;
        if (!head->began) d.happens(event::ResponseBegan{id});
        const DataSize bytes = std::min(head->left().size(), link == 0 ? 8_kB : 1_kB);
        const bool ends = bytes == head->left().size();
        d.happens(event::BytesReceived{id, bytes});
        if (ends) d.happens(event::RequestDone{id});
      }
    }
  };
  d.happens(event::SegmentWanted{segment(0), TimePoint{2s}});
  carry(3s);
  add(1);
  d.happens(event::SegmentWanted{segment(1), d.now() + 2s});
  std::map<LinkId, DataSize> first;
  for (const auto& request : d.all<action::SendRequest>()) {
    if (request.segment == segment(1)) first.try_emplace(request.link, request.range.begin);
  }
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[LinkId{0}], 0_kB);
  EXPECT_GT(first[LinkId{1}], 100_kB) << "wifi brings these while lte brings 50 kB";
}

TEST(DemandedSession, AWishMayBecomeUrgent) {
  Player player;
  player.add(1, 1000_kB);
  player.want(0, 8s);
  player.want(1, std::nullopt);
  EXPECT_EQ(player.session().outstanding().all().front().segment, segment(0));
  player.want(1, 1s);
  player.answer(RequestId{1});
  player.happens(event::ResponseBegan{RequestId{3}});
  EXPECT_EQ(player.all<action::SendRequest>().back().segment, segment(1));
}

TEST(DemandedSession, WhatIsNotWantedAnyMoreIsDropped) {
  Player player;
  player.add(1, 400_kB);
  player.want(0, 4s);
  player.happens(event::SegmentNotWanted{segment(0)});
  EXPECT_EQ(player.all<action::DropSegment>().size(), 1U);
  player.want(1, 4s);
  player.answer_all();
  ASSERT_EQ(player.all<action::DeliverSegment>().size(), 1U);
  EXPECT_EQ(player.all<action::DeliverSegment>().front().segment, segment(1));
  player.happens(event::SegmentNotWanted{segment(0)});  // once more
  player.want(0, 4s);                                   // it would be a file of its own
  EXPECT_EQ(player.all<action::StartSegment>().size(), 2U);
}

TEST(DemandedSession, AFileThatTheOriginDoesNotHaveIsToldAndTheRestGoesOn) {
  Player player;
  player.add(1, 100_kB);
  player.want(0, 4s);
  for (int i = 0; i < 40 && player.all<action::SkipSegment>().empty(); ++i) {
    while (!player.unanswered().empty()) player.fail(*player.unanswered().begin(), FailureReason::kNotFound);
    player.wait(1s);
  }
  ASSERT_EQ(player.all<action::SkipSegment>().size(), 1U);
  EXPECT_FALSE(player.session().finished());
  player.want(1, 4s);
  player.answer_all();
  EXPECT_EQ(player.all<action::DeliverSegment>().size(), 1U);
}

TEST(DemandedSession, AnotherLinkBringsWhatADeadOneOwes) {
  Player player;
  player.want(0, 1s);
  player.answer(RequestId{1});
  player.happens(event::LinkDown{LinkId{1}, "gone"});
  for (const RequestId id : {RequestId{2}, RequestId{4}}) player.fail(id, FailureReason::kLinkDown);
  player.answer_all();
  EXPECT_EQ(player.all<action::DeliverSegment>().size(), 1U);
}

TEST(DemandedSession, ALinkThatCostsBringsOnlyWhatIsDue) {
  event::LinkCostTold cost;
  cost.link = LinkId{1};
  cost.kind = CostKind::kPaid;
  SessionDriver d{wanted_files(), demanded_options()};
  d.link_up(0, "wifi");
  d.happens(cost);
  d.link_up(1, "lte");
  d.happens(event::SegmentWanted{segment(0), std::nullopt});
  d.wait(100ms);
  for (const auto& request : d.all<action::SendRequest>()) EXPECT_EQ(request.link, LinkId{0});
}

TEST(DemandedSession, WhatTheTableDoesNotHaveIsIgnored) {
  Player player;
  player.want(7, 1s);
  player.happens(event::SegmentNotWanted{segment(7)});
  EXPECT_TRUE(player.all<action::StartSegment>().empty());
}

}  // namespace
}  // namespace tributary
