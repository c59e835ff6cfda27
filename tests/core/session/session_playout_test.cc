// A player that reports, and what the session makes of it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/session.hh"
#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;
using testing::static_options;
using enum PlayoutState;

SessionOptions reported(std::uint32_t buffer, std::uint32_t startup) {
  SessionOptions options = static_options(buffer);
  options.startup_segments = startup;
  options.playout = PlayoutSource::kReported;
  options.stays_open = true;
  return options;
}

event::PlayoutReported at(PlayoutState state, std::uint32_t segment, Duration left, double speed = 1) {
  return {state, SegmentIndex{segment}, left, speed};
}

std::size_t started(const SessionDriver& d) { return d.all<action::StartSegment>().size(); }
std::size_t allowed(const SessionDriver& d) { return d.all<action::AllowPlayout>().size(); }

TEST(ReportedPlayout, IsAllowedOnceEnoughIsThere) {
  SessionDriver d{constant_table(20, {100_kB}), reported(4, 2)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  EXPECT_EQ(allowed(d), 0U);
  d.answer(RequestId{2});
  EXPECT_EQ(allowed(d), 1U);
  d.answer_all();
  d.wait(1min);
  EXPECT_EQ(started(d), 4U);  // nothing plays: the buffer is full
  EXPECT_TRUE(d.all<action::PlaySegment>().empty());
  EXPECT_EQ(allowed(d), 1U);
}

TEST(ReportedPlayout, MakesRoomAsItGoesOn) {
  SessionDriver d{constant_table(20, {100_kB}), reported(4, 1)};
  d.link_up(0, "wifi");
  d.answer_all();
  d.happens(at(kPlaying, 0, 2s));
  EXPECT_EQ(started(d), 5U);
  d.answer_all();
  d.wait(1999ms);
  EXPECT_EQ(started(d), 5U);
  d.wait(1ms);  // by what it said, segment 1 begins
  EXPECT_EQ(started(d), 6U);
}

TEST(ReportedPlayout, NeverMissesWhileItIsPaused) {
  SessionDriver d{constant_table(20, {100_kB}), reported(2, 1)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  d.happens(at(kPlaying, 0, 2s));
  d.wait(1s);
  d.happens(at(kPaused, 0, 1s));
  EXPECT_FALSE(d.session().playout().next_due());
  d.wait(30s);
  EXPECT_TRUE(d.all<action::Stall>().empty());
  d.happens(at(kPlaying, 0, 1s));
  EXPECT_EQ(d.session().playout().next_due(), d.now() + 1s);
  d.answer_all();
  d.wait(1s);
  ASSERT_EQ(d.all<action::PlaySegment>().size(), 2U);
  EXPECT_EQ(d.all<action::PlaySegment>()[1].miss, 0s);
}

TEST(ReportedPlayout, AtTwiceTheSpeedIsDueInHalfTheTime) {
  SessionDriver d{constant_table(20, {100_kB}), reported(2, 1)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  d.happens(at(kPlaying, 0, 2s, 2));
  EXPECT_EQ(d.session().playout().next_due(), d.now() + 1s);
  EXPECT_EQ(d.session().playout().time_left_playout(d.now() + 500ms), 1s);  // of the timeline
}

TEST(ReportedPlayout, AStallIsWhatItSaysNotWhatIsThought) {
  SessionDriver d{constant_table(20, {100_kB}), reported(1, 1)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  d.happens(at(kPlaying, 0, 2s));
  d.wait(2100ms);  // segment 1 should play by now; the player is a little behind
  EXPECT_TRUE(d.all<action::Stall>().empty());
  d.happens(at(kStalled, 0, 0s));
  ASSERT_EQ(d.all<action::Stall>().size(), 1U);
  EXPECT_NE(d.all<action::Stall>()[0].reason.find("request 2 on wifi owes 100000"), std::string::npos);
  d.wait(900ms);
  EXPECT_EQ(allowed(d), 1U);
  d.answer(RequestId{2});
  EXPECT_EQ(allowed(d), 2U);
  d.wait(50ms);
  d.happens(at(kPlaying, 1, 2s));
  const auto played = d.all<action::PlaySegment>();
  ASSERT_EQ(played.size(), 2U);
  EXPECT_EQ(played[1].due, TimePoint{2100ms});
  EXPECT_EQ(played[1].miss, 950ms);
}

TEST(ReportedPlayout, AReportThatCrossedTheSegmentIsAnsweredAtOnce) {
  SessionDriver d{constant_table(20, {100_kB}), reported(2, 1)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  d.happens(at(kPlaying, 0, 2s));
  d.wait(1990ms);
  d.answer(RequestId{2});
  d.wait(20ms);                    // it is thought to play segment 1
  d.happens(at(kStalled, 0, 0s));  // but it had not seen it
  EXPECT_TRUE(d.all<action::Stall>().empty());
  EXPECT_EQ(allowed(d), 2U);
  d.happens(at(kPlaying, 0, 10ms));  // still the end of the one before
  EXPECT_EQ(d.session().playout().next_due(), d.now() + 2010ms);
}

TEST(ReportedPlayout, WaitingForTheBeginningIsNoStall) {
  SessionDriver d{constant_table(20, {100_kB}), reported(2, 1)};
  d.link_up(0, "wifi");
  d.happens(at(kStalled, 0, 2s));
  d.wait(5s);
  EXPECT_TRUE(d.all<action::Stall>().empty());
  d.answer(RequestId{1});
  EXPECT_EQ(allowed(d), 1U);
  d.happens(at(kPlaying, 0, 2s));
  EXPECT_FALSE(d.all<action::PlaySegment>()[0].due);
}

TEST(ReportedPlayout, IsAllowedAgainAfterASeek) {
  SessionDriver d{constant_table(20, {100_kB}), reported(2, 1)};
  d.link_up(0, "wifi");
  d.answer_all();
  d.happens(at(kPlaying, 0, 2s));
  d.happens(event::SeekRequested{SegmentIndex{10}, 0, std::nullopt});
  EXPECT_FALSE(d.session().playout().next_due());
  d.answer_all();
  EXPECT_EQ(allowed(d), 2U);
}

TEST(ReportedPlayout, TheEndIsNoStall) {
  SessionDriver d{constant_table(2, {100_kB}), reported(4, 1)};
  d.link_up(0, "wifi");
  d.answer_all();
  d.happens(at(kPlaying, 1, 10ms));
  d.wait(50ms);
  d.happens(at(kStalled, 1, 0s));
  EXPECT_TRUE(d.all<action::Stall>().empty());
}

TEST(ReportedPlayout, APauseIsNoLagThatIsMadeUpFor) {
  SessionOptions options = reported(1, 1);
  options.mode = StreamingMode::kLiveUnbuffered;
  SessionDriver d{constant_table(60, {100_kB}), options};
  const auto live_for = [&](unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i) {
      d.happens(event::SegmentPublished{SegmentIndex{i}});
      d.answer_all();
      d.wait(2s);
    }
  };
  d.link_up(0, "wifi");
  d.happens(event::SegmentPublished{SegmentIndex{0}});
  d.answer_all();
  d.happens(at(kPlaying, 0, 2s));
  d.happens(at(kPaused, 0, 2s));
  live_for(1, 20);
  d.happens(at(kPlaying, 0, 2s));
  live_for(20, 25);
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
  // A lag that the user did not want is made up for, still.
  d.happens(event::LinkDown{LinkId{0}, ""});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kLinkDown);
  live_for(25, 35);
  const auto last = static_cast<std::uint32_t>(to_index(*d.session().playout().playing()));
  d.happens(at(kStalled, last, 0s));
  d.link_up(0, "wifi");
  d.answer_all();
  d.happens(at(kPlaying, last + 1, 2s));
  EXPECT_FALSE(d.all<action::SkipSegment>().empty());
}

TEST(SessionStart, BeginsWithAsManySegmentsAsItIsTold) {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kStatic;
  options.startup_segments = 2;
  SessionDriver d{constant_table(20, {50_kB}), options};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  EXPECT_TRUE(d.all<action::PlaySegment>().empty());
  d.answer(RequestId{2});
  EXPECT_EQ(d.all<action::PlaySegment>().size(), 1U);
  d.answer_all();
  EXPECT_EQ(started(d), 7U);  // the buffer is filled all the same
  options.startup_segments = 7;
  EXPECT_THROW((Session{constant_table(1, {1_kB}), options}), std::invalid_argument);
}

TEST(SessionStart, AFastOneTakesTheQualityThatIsThereAtOnce) {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kStatic;
  options.start = StartRule::kFast;
  options.startup_segments = 1;
  SessionDriver d{constant_table(20, {100_kB, 400_kB}), options};
  d.link_up(0, "wifi");
  EXPECT_EQ(d.all<action::StartSegment>()[0].quality, QualityIndex{0});
  for (int i = 0; i < 3; ++i) {
    d.wait(10ms);
    d.answer(*d.unanswered().begin());  // 80 Mbit/s
  }
  EXPECT_EQ(d.all<action::StartSegment>().back().quality, QualityIndex{1});
}

TEST(SessionQuality, AsTheUserChoseItFromTheNextSegmentOn) {
  SessionOptions options;
  options.subsegments = SubsegmentApproach::kStatic;
  SessionDriver d{constant_table(20, {50_kB, 60_kB, 70_kB}), options};
  d.link_up(0, "wifi");
  const std::size_t before = started(d);
  d.happens(event::QualityChosen{QualityIndex{1}});
  d.answer(RequestId{1});
  d.answer(RequestId{2});
  const auto chosen = d.all<action::StartSegment>();
  ASSERT_GT(chosen.size(), before);
  EXPECT_EQ(chosen[before].quality, QualityIndex{1});
  EXPECT_EQ(chosen[before].reason, "chosen by the user");
  d.happens(event::QualityChosen{std::nullopt});
  d.wait(10ms);
  d.answer_all();
  EXPECT_NE(d.all<action::StartSegment>().back().reason, "chosen by the user");
}

TEST(SessionQuality, AsTheLinksAllowUpToWhatTheUserWants) {
  SessionOptions options = static_options(3);
  options.adaptation = "throughput";
  SessionDriver d{constant_table(20, {50_kB, 60_kB, 70_kB}), options};
  d.happens(event::QualityChosen{std::nullopt, QualityIndex{1}});
  d.link_up(0, "wifi");
  const auto begin_another = [&] {
    d.wait(10ms);
    d.answer_all();
    d.wait(2s);
    return d.all<action::StartSegment>().back();
  };
  begin_another();
  const action::StartSegment limited = begin_another();
  EXPECT_EQ(limited.quality, QualityIndex{1});
  EXPECT_THAT(limited.reason, ::testing::EndsWith("; the user wants at most medium"));
  d.happens(event::QualityChosen{QualityIndex{2}, QualityIndex{1}});
  EXPECT_EQ(begin_another().quality, QualityIndex{2}) << "one that was chosen goes before";
  d.happens(event::QualityChosen{});
  EXPECT_EQ(begin_another().quality, QualityIndex{2}) << "as the links allow";
}

}  // namespace
}  // namespace tributary
