#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"
#include "units/byte_set.hh"

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

TEST(DemandedSession, OfASegmentThatIsPlayedLaterTheFrontComesFirstAndTheRestLast) {
  Player player;
  player.add(1, 1000_kB);
  player.add(2, 500_kB);
  player.want(1, 2s);
  const std::size_t before = player.all<action::SendRequest>().size();
  player.happens(event::SegmentWanted{
      .segment = segment(2), .due = player.now() + 2s, .in_hand = std::nullopt, .behind = segment(1)});
  player.answer_all();
  std::vector<int> order;
  for (const auto& request : player.all<action::SendRequest>()) {
    if (request.segment == segment(2) && request.part == 0) order.push_back(2);
    if (request.segment == segment(1)) order.push_back(1);
  }
  ASSERT_GT(order.size(), before);
  EXPECT_EQ(order[before], 2);
  EXPECT_EQ(std::ranges::count(order, 1), 10);
  const auto last_of_first = std::ranges::find(order.rbegin(), order.rend(), 1).base();
  EXPECT_EQ(std::count(order.begin(), last_of_first, 2), 1);
}

/// Links that carry what a session asks for, and what a reader has of it.
class Carrying {
 public:
  struct Rate {
    DataRate rate;
    Duration way;  // from a request to the first byte
  };

  explicit Carrying(std::vector<Rate> links) : links_{std::move(links)}, d_{wanted_files(), balanced()} {
    for (std::size_t i = 0; i < links_.size(); ++i) d_.link_up(static_cast<int>(i), fmt::format("link{}", i));
  }
  void want(int number) { d_.happens(event::SegmentWanted{segment(number), d_.now() + 2s}); }
  void add(int number) {
    d_.happens(event::SegmentAdded{segment(number), {TrackSegment{.size = 400_kB, .ticks = 2000}}});
  }
  void carry(Duration time) {
    for (Duration t{}; t < time; t += kTick) {
      d_.wait(kTick);
      for (std::size_t i = 0; i < links_.size(); ++i) carry(static_cast<LinkId>(i), links_[i]);
    }
  }
  /// The first byte of the segment that each link was asked for.
  std::map<LinkId, DataSize> first_asked(int number) const {
    std::map<LinkId, DataSize> first;
    for (const auto& request : d_.all<action::SendRequest>()) {
      if (request.segment == segment(number)) first.try_emplace(request.link, request.range.begin);
    }
    return first;
  }
  /// Bytes of segment 0 from its front, up to the first one that is missing.
  DataSize front() const {
    const auto gaps = received_.gaps_in({0_kB, 400_kB});
    return gaps.empty() ? 400_kB : gaps.front().begin;
  }

 private:
  static constexpr Duration kTick = 8ms;

  static SessionOptions balanced() {
    SessionOptions options = demanded_options();
    options.subsegments = SubsegmentApproach::kBalanced;
    return options;
  }
  void carry(LinkId link, const Rate& carries) {
    const auto& all = d_.session().outstanding().all();
    const auto head = std::ranges::find(all, link, &OutstandingRequest::link);
    if (head == all.end() || d_.now() < head->sent + carries.way) return;
    const OutstandingRequest request = *head;
    if (!request.began) d_.happens(event::ResponseBegan{request.id});
    const DataSize bytes = std::min(request.left().size(), carries.rate * kTick);
    if (request.segment == segment(0)) received_.add({request.left().begin, request.left().begin + bytes});
    d_.happens(event::BytesReceived{request.id, bytes});
    if (bytes == request.left().size()) d_.happens(event::RequestDone{request.id});
  }

  std::vector<Rate> links_;
  SessionDriver d_;
  ByteSet received_;
};

TEST(DemandedSession, ASlowLinkBringsBytesThatTheReaderWantsLater) {
  Carrying links{{{8_Mbps, 0ms}, {1_Mbps, 0ms}}};
  links.want(0);
  links.carry(3s);
  links.add(1);
  links.want(1);
  auto first = links.first_asked(1);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first[LinkId{0}], 0_kB);
  EXPECT_GT(first[LinkId{1}], 100_kB) << "the first link brings these while the second one brings its range";
}

// Players give up a segment by what they have of it after half a second (dash.js).
TEST(DemandedSession, AReaderSeesAllLinksAtOnce) {
  for (const auto& [first, second] : {std::pair{700_kbps, 500_kbps}, {1200_kbps, 600_kbps}, {2_Mbps, 500_kbps}}) {
    Carrying links{{{first, 30ms}, {second, 60ms}}};
    links.want(0);
    Duration time{};
    for (const Duration step : {600ms, 200ms, 200ms}) {
      links.carry(step);
      time += step;
      const DataSize carried = first * (time - 30ms) + second * (time - 60ms);
      // Each link brought 10 kB of the end when it was measured.
      EXPECT_GT(links.front(), scale(carried, 0.65)) << "after " << to_seconds(time) << " s";
    }
  }
}

struct BalancedPlayer : SessionDriver {
  BalancedPlayer() : SessionDriver{wanted_files(), options()} {}
  static SessionOptions options() {
    SessionOptions options = demanded_options();
    options.subsegments = SubsegmentApproach::kBalanced;
    return options;
  }
  void want(int number) { happens(event::SegmentWanted{segment(number), now() + 2s}); }
};

// A player measures its first segment: what a link does not bring while it is measured is missing in every choice since.
TEST(DemandedSession, ALinkIsKeptBusyWhileItIsMeasured) {
  BalancedPlayer player;
  player.link_up(0, "wifi");
  player.want(0);
  auto sent = player.all<action::SendRequest>();
  ASSERT_EQ(sent.size(), 2U);
  EXPECT_EQ(sent[0].range.begin, 0_kB);
  EXPECT_EQ(sent[1].range.end, 400_kB) << "nobody waits for it if the link is slow";
  player.wait(100ms);
  player.answer(RequestId{1});
  sent = player.all<action::SendRequest>();
  ASSERT_GT(sent.size(), 2U) << "the first range has measured the link";
  EXPECT_EQ(sent[2].range.begin, sent[0].range.end);
}

TEST(DemandedSession, TheFrontIsLeftToALinkThatHasAnswered) {
  BalancedPlayer player;
  player.happens(event::SegmentAdded{segment(1), {TrackSegment{.size = 1_kB, .ticks = 2000}}});
  player.link_up(0, "wifi");
  player.want(1);
  player.wait(20ms);
  player.answer(RequestId{1});
  player.link_up(1, "lte");
  player.want(0);
  for (const auto& request : player.all<action::SendRequest>()) {
    if (request.segment != segment(0)) continue;
    if (request.link == LinkId{1}) {
      EXPECT_GE(request.range.begin, 20_kB);
    }
    if (request.range.begin == 0_kB) {
      EXPECT_EQ(request.link, LinkId{0});
    }
  }
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
