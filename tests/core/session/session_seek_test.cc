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

SessionOptions seekable(std::uint32_t buffer = 3) {
  SessionOptions options = static_options(buffer);
  options.stays_open = true;
  return options;
}

event::SeekRequested to(std::uint32_t segment, std::uint32_t cached = 0) {
  return {SegmentIndex{segment}, cached, std::nullopt};
}

std::vector<std::size_t> delivered(const SessionDriver& d) {
  std::vector<std::size_t> result;
  for (const auto& a : d.all<action::DeliverSegment>()) result.push_back(to_index(a.segment));
  return result;
}

/// Answers all that is outstanding, each 100 ms after the one before: 8 Mbit/s for 100 kB.
void answer_slowly(SessionDriver& d, Duration each = 100ms) {
  while (!d.unanswered().empty()) {
    d.wait(each);
    d.answer(*d.unanswered().begin());
  }
}

TEST(SessionSeek, GoesOnAtTheSegmentAndStartsPlayoutAgain) {
  SessionDriver d{constant_table(20, {100_kB}), seekable()};
  d.link_up(0, "wifi");
  answer_slowly(d);
  const std::size_t played = d.all<action::PlaySegment>().size();
  d.happens(to(10));
  answer_slowly(d);
  const auto plays = d.all<action::PlaySegment>();
  ASSERT_GT(plays.size(), played);
  EXPECT_EQ(plays[played].segment, SegmentIndex{10});
  EXPECT_FALSE(plays[played].due);  // a seek is no miss
  const auto all = delivered(d);
  EXPECT_EQ(std::vector(all.end() - 4, all.end()), (std::vector<std::size_t>{10, 11, 12, 13}));
}

TEST(SessionSeek, DropsWhatIsBeingReceivedAndTakesNoByteOfIt) {
  SessionOptions options = seekable(1);
  options.depth = 3;
  SessionDriver d{constant_table(20, {100_kB}), options};
  d.link_up(0, "wifi");
  answer_slowly(d);
  d.wait(2s);  // room for a segment: 2 is asked for
  ASSERT_EQ(d.unanswered().size(), 1U);
  const RequestId old = *d.unanswered().begin();
  EXPECT_EQ(d.request(old).segment, SegmentIndex{2});
  d.happens(event::ResponseBegan{old});
  d.happens(event::BytesReceived{old, 40_kB});
  d.happens(to(10));
  ASSERT_EQ(d.all<action::DropSegment>().size(), 1U);
  EXPECT_EQ(d.all<action::DropSegment>()[0].segment, SegmentIndex{2});
  // 60 kB at 8 Mbit/s: the link brings them to their end, and the next range is pipelined behind.
  EXPECT_TRUE(d.all<action::AbandonRequests>().empty());
  d.happens(to(2));  // the same segment, from its beginning
  const auto started = d.all<action::StartSegment>();
  EXPECT_EQ(started.back().segment, SegmentIndex{2});
  const std::size_t before = delivered(d).size();
  d.happens(event::BytesReceived{old, 60_kB});
  d.happens(event::RequestDone{old});
  EXPECT_EQ(delivered(d).size(), before);  // they belong to nothing
}

TEST(SessionSeek, CallsOffALinkThatWouldTakeLong) {
  SessionDriver d{constant_table(20, {100_kB}), seekable()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.wait(1s);
  d.answer(RequestId{1});  // wifi: 800 kbit/s, and 100 kB outstanding; lte: not measured
  d.happens(to(10));
  const auto abandoned = d.all<action::AbandonRequests>();
  ASSERT_EQ(abandoned.size(), 2U);
  EXPECT_EQ(abandoned[0].link, LinkId{0});
  EXPECT_NE(abandoned[0].reason.find("take 1."), std::string::npos) << abandoned[0].reason;
  EXPECT_EQ(abandoned[1].link, LinkId{1});
  const auto outstanding = d.unanswered();
  for (const RequestId id : outstanding) {
    if (d.request(id).segment < SegmentIndex{10}) d.fail(id, FailureReason::kAbandoned);
  }
  EXPECT_TRUE(d.all<action::AvoidLink>().empty());  // that is not the links' fault
  answer_slowly(d);
  EXPECT_EQ(delivered(d), (std::vector<std::size_t>{0, 10, 11, 12, 13}));
}

TEST(SessionSeek, CachedSegmentsCountAsBuffered) {
  SessionDriver d{constant_table(20, {100_kB}), seekable()};
  d.link_up(0, "wifi");
  answer_slowly(d);  // 0 to 3
  const std::size_t before = delivered(d).size();
  const std::size_t played = d.all<action::PlaySegment>().size();
  d.happens(to(0, 4));
  ASSERT_EQ(d.all<action::PlaySegment>().size(), played + 1);  // at once
  EXPECT_EQ(d.all<action::PlaySegment>().back().segment, SegmentIndex{0});
  EXPECT_TRUE(d.unanswered().empty());  // 1 to 3 are buffered
  d.wait(2s);
  ASSERT_EQ(d.unanswered().size(), 1U);
  EXPECT_EQ(d.request(*d.unanswered().begin()).segment, SegmentIndex{4});
  EXPECT_EQ(delivered(d).size(), before);
}

TEST(SessionSeek, WhatIsBeingReceivedGoesOnIfItFollows) {
  SessionDriver d{constant_table(20, {300_kB}), seekable()};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});
  d.happens(to(0));
  EXPECT_TRUE(d.all<action::DropSegment>().empty());
  EXPECT_EQ(d.all<action::StartSegment>().size(), 1U);
  d.answer(RequestId{2});
  d.answer(RequestId{3});
  EXPECT_EQ(delivered(d), (std::vector<std::size_t>{0}));
}

TEST(SessionSeek, AfterEverythingWasDelivered) {
  SessionDriver d{constant_table(3, {100_kB}), seekable(6)};
  d.link_up(0, "wifi");
  d.answer_all();
  EXPECT_EQ(d.all<action::AllDelivered>().size(), 1U);
  d.wait(1h);
  EXPECT_TRUE(d.all<action::Finish>().empty());
  EXPECT_EQ(d.all<action::AllDelivered>().size(), 1U);
  d.happens(to(1));
  d.answer_all();
  EXPECT_EQ(delivered(d), (std::vector<std::size_t>{0, 1, 2, 1, 2}));
  EXPECT_EQ(d.all<action::AllDelivered>().size(), 2U);
  d.happens(event::StopRequested{"closed"});
  EXPECT_EQ(d.all<action::Finish>().size(), 1U);
}

TEST(SessionSeek, InitPartsThatDidNotComeAreAskedForAgain) {
  Presentation presentation = testing::presentation_of({{"low", std::vector(20, 100_kB)}});
  presentation.tracks[0].init = Resource{"low/init.mp4", {0_B, 700_B}, true};
  SessionDriver d{SegmentTable{presentation}, seekable()};
  d.link_up(0, "wifi");
  d.happens(to(10));
  EXPECT_EQ(d.all<action::StartSegment>().back().init_parts, 1U);
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) {
    if (d.request(id).segment == SegmentIndex{0}) d.fail(id, FailureReason::kAbandoned);
  }
  answer_slowly(d);
  d.happens(to(2));
  EXPECT_EQ(d.all<action::StartSegment>().back().init_parts, 0U);
}

/// The init part was to come with a segment that is dropped, and another one counted on it.
TEST(SessionSeek, WhatGoesOnBringsTheInitPartsOfWhatIsDropped) {
  Presentation presentation = testing::presentation_of({{"low", std::vector(20, 100_kB)}});
  presentation.tracks[0].init = Resource{"low/init.mp4", {0_B, 700_B}, true};
  SessionDriver d{SegmentTable{presentation}, seekable()};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  ASSERT_GE(d.all<action::StartSegment>().size(), 2U);
  d.happens(to(1));
  const auto started = d.all<action::StartSegment>();
  const auto last =
      std::find_if(started.rbegin(), started.rend(), [](const auto& s) { return to_index(s.segment) == 1; });
  EXPECT_EQ(last->init_parts, 1U);
}

TEST(SessionSeek, AnotherSoundFromThereOn) {
  Presentation presentation = testing::presentation_of({{"low", std::vector(20, 100_kB)}});
  for (const char* id : {"english", "norsk"}) {
    Track sound = presentation.tracks[0];
    sound.id = id;
    sound.kind = TrackKind::kAudio;
    sound.sizes.assign(20, id == std::string{"norsk"} ? 9_kB : 5_kB);
    presentation.tracks.push_back(sound);
  }
  SessionDriver d{SegmentTable{presentation}, seekable()};
  d.link_up(0, "wifi");
  EXPECT_EQ(d.all<action::StartSegment>()[0].size, 105_kB);
  d.happens(event::SeekRequested{SegmentIndex{0}, 0, 2});
  EXPECT_EQ(d.all<action::DropSegment>().size(), 1U);  // it has the other sound
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kAbandoned);
  EXPECT_EQ(d.all<action::StartSegment>().back().segment, SegmentIndex{0});
  EXPECT_EQ(d.all<action::StartSegment>().back().size, 109_kB);
}

TEST(SessionSeek, TheEstimatesOfTheLinksSurvive) {
  SessionDriver d{constant_table(20, {100_kB}), seekable()};
  d.link_up(0, "wifi");
  answer_slowly(d);
  d.happens(to(10));
  const auto throughput = d.all<action::StartSegment>().back().throughput;
  ASSERT_TRUE(throughput);
  EXPECT_NEAR(throughput->bits_per_second(), 8e6, 1e5);
}

TEST(SessionSeek, LiveStaysWithinTheWindow) {
  SessionOptions options = seekable();
  options.mode = StreamingMode::kLiveBuffered;
  SessionDriver d{constant_table(20, {100_kB}), options};
  d.happens(event::SegmentPublished{SegmentIndex{9}});
  d.happens(event::WindowMoved{SegmentIndex{5}});
  d.happens(to(2));
  d.link_up(0, "wifi");
  EXPECT_EQ(d.all<action::StartSegment>()[0].segment, SegmentIndex{5});
  d.happens(to(9));
  d.happens(event::LinkDown{LinkId{0}, ""});
  for (const RequestId id : std::set<RequestId>{d.unanswered()}) d.fail(id, FailureReason::kLinkDown);
  d.link_up(0, "wifi");
  d.answer_all();
  EXPECT_EQ(delivered(d), (std::vector<std::size_t>{9}));  // 10 is not published yet
  d.happens(event::SegmentPublished{SegmentIndex{10}});
  d.answer_all();
  EXPECT_EQ(delivered(d), (std::vector<std::size_t>{9, 10}));
}

TEST(SessionSeek, WhoGoesBackFromTheLiveEdgeIsNotSentThereAgain) {
  SessionOptions options = seekable(1);
  options.mode = StreamingMode::kLiveUnbuffered;
  SessionDriver d{constant_table(30, {100_kB}), options};
  d.link_up(0, "wifi");
  for (unsigned i = 0; i < 12; ++i) {
    d.happens(event::SegmentPublished{SegmentIndex{i}});
    d.answer_all();
    d.wait(2s);
  }
  d.happens(to(4));
  d.answer_all();
  d.wait(2s);
  d.answer_all();
  EXPECT_TRUE(d.all<action::SkipSegment>().empty());
  EXPECT_EQ(d.all<action::PlaySegment>().back().segment, SegmentIndex{5});
}

}  // namespace
}  // namespace tributary
