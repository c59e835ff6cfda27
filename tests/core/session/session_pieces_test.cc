#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary::session_pieces_test {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::live_options;
using testing::segment;
using testing::SessionDriver;

/// Twelve pieces of half a second, four of each file.
SegmentTable in_pieces() {
  Presentation presentation = testing::presentation_of({{"low", std::vector(12, 100_kB)}});
  Track& track = presentation.tracks[0];
  track.durations.assign(12, 500);
  track.estimated.assign(12, true);
  for (std::uint32_t i = 0; i < 12; ++i) {
    track.continues.push_back(i % 4 > 0);
    track.pieces.push_back({i % 4, 4});
  }
  presentation.live = LiveWindow{};
  presentation.complete = false;
  return SegmentTable{presentation};
}

class SessionPiecesTest : public ::testing::Test {
 protected:
  SessionPiecesTest() {
    d.link_up(0, "wifi");
    d.link_up(1, "lte");
  }
  void publish(int number) { d.happens(event::SegmentPublished{segment(number)}); }
  action::SendRequest asked_for(int number) {
    const auto all = d.all<action::SendRequest>();
    const auto last = std::ranges::find(all.rbegin(), all.rend(), segment(number), &action::SendRequest::segment);
    EXPECT_NE(last, all.rend()) << number;
    return last == all.rend() ? action::SendRequest{} : *last;
  }
  /// The piece comes as fast as the link brings it.
  void comes(int number) {
    const RequestId id = asked_for(number).request;
    d.happens(event::ResponseBegan{id});
    d.happens(event::BytesReceived{id, 10_kB, true});
    d.wait(100ms);
    d.happens(event::BytesReceived{id, 70_kB});
    d.end(id);
  }
  int requests() const { return static_cast<int>(d.all<action::SendRequest>().size()); }

  SessionDriver d{in_pieces(), live_options(StreamingMode::kLiveBuffered, 8)};
};

TEST_F(SessionPiecesTest, EachComesInOneAnswerOverTheLinkThatBringsTheFile) {
  publish(0);
  const LinkId link = asked_for(0).link;
  EXPECT_TRUE(asked_for(0).afresh);
  EXPECT_TRUE(asked_for(0).open);
  for (int i = 1; i < 4; ++i) {
    comes(i - 1);
    d.wait(400ms);
    publish(i);
    EXPECT_EQ(asked_for(i).link, link) << i;
  }
  EXPECT_EQ(requests(), 4) << "one for each";
}

TEST_F(SessionPiecesTest, ALinkThatIsSilentIsLeftForTheOther) {
  publish(0);
  comes(0);
  const LinkId first = asked_for(0).link;
  publish(1);
  d.wait(2s);
  const auto left = d.all<action::AbandonRequests>();
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].link, first);
  d.fail(asked_for(1).request, FailureReason::kAbandoned);
  EXPECT_NE(asked_for(1).link, first);
  comes(1);
  publish(2);
  EXPECT_NE(asked_for(2).link, first) << "the file comes over the other one now";
}

TEST_F(SessionPiecesTest, AnOriginThatIsLateEachTimeIsWaitedFor) {
  for (int i = 0; i < 4; ++i) {
    publish(i);
    d.wait(400ms);
    comes(i);
  }
  publish(4);
  d.wait(800ms);  // 0.4 s, as always, and 0.5 s of patience
  EXPECT_TRUE(d.all<action::AbandonRequests>().empty());
  d.wait(400ms);
  EXPECT_EQ(d.all<action::AbandonRequests>().size(), 1U);
}

/// Over a link that begins the file anew, the pieces before it come first.
TEST_F(SessionPiecesTest, APieceThatIsAskedForLateHasTimeForThoseBeforeIt) {
  for (int i = 0; i < 3; ++i) {
    publish(i);
    comes(i);
    d.wait(400ms);
  }
  publish(3);
  d.wait(400ms);
  d.fail(asked_for(3).request, FailureReason::kClosedMidBody);
  d.wait(2s);  // the rate of the other link is not known
  EXPECT_TRUE(d.all<action::AbandonRequests>().empty());
  d.wait(1s);
  EXPECT_EQ(d.all<action::AbandonRequests>().size(), 1U);
}

/// No other quality can stand for them.
TEST_F(SessionPiecesTest, TheyAreAskedForAgainWhereTheOriginDoesNotHaveThemYet) {
  publish(0);
  comes(0);
  publish(1);
  for (int i = 0; i < 4; ++i) {
    d.fail(asked_for(1).request, FailureReason::kNotFound);
    d.wait(100ms);
    EXPECT_TRUE(d.unanswered().contains(asked_for(1).request)) << i;
  }
  comes(1);
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
}

TEST_F(SessionPiecesTest, WhatCameAtThePaceOfItsMakerTellsNothingOfTheLink) {
  publish(0);
  const RequestId id = asked_for(0).request;
  d.happens(event::ResponseBegan{id});
  for (int i = 0; i < 5; ++i) {
    d.wait(100ms);
    d.happens(event::BytesReceived{id, 1_kB, true});
    d.wait(10ms);
    d.happens(event::BytesReceived{id, 12_kB});
  }
  d.end(id);
  publish(1);
  ASSERT_TRUE(asked_for(1).estimate);
  EXPECT_NEAR(asked_for(1).estimate->bits_per_second(), 12e3 * 8 / 0.01, 1e5);
}

}  // namespace
}  // namespace tributary::session_pieces_test
