#include "core/session.hh"

#include <gtest/gtest.h>

#include <stdexcept>

#include "support/session_driver.hh"
#include "support/tables.hh"

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;
using testing::constant_table;
using testing::SessionDriver;
using testing::static_options;

TEST(Session, StartsWithTheHighestQualityInterleavedOverTheLinks) {
  SessionDriver d{constant_table(10, {100_kB, 400_kB}), static_options(2)};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  const auto started = d.all<action::StartSegment>();
  ASSERT_EQ(started.size(), 1U);
  EXPECT_EQ(started[0].quality, QualityIndex{1});
  const auto sent = d.all<action::SendRequest>();
  // wifi was there first and took two; lte takes the two after them.
  ASSERT_EQ(sent.size(), 4U);
  EXPECT_EQ(sent[2].link, LinkId{1});
  EXPECT_EQ(sent[2].range, (ByteRange{200_kB, 300_kB}));
}

TEST(Session, PipelinesTheNextSubsegmentWhenAResponseBegins) {
  SessionDriver d{constant_table(10, {100_kB, 1000_kB}), static_options(2)};
  d.link_up(0, "wifi");
  EXPECT_EQ(d.all<action::SendRequest>().size(), 2U);
  d.happens(event::ResponseBegan{RequestId{1}});
  d.happens(event::BytesReceived{RequestId{1}, 100_kB});
  d.happens(event::RequestDone{RequestId{1}});
  EXPECT_EQ(d.all<action::SendRequest>().size(), 2U);
  d.happens(event::ResponseBegan{RequestId{2}});
  EXPECT_EQ(d.all<action::SendRequest>().size(), 3U);
  EXPECT_EQ(d.all<action::SendRequest>()[2].range, (ByteRange{200_kB, 300_kB}));
}

TEST(Session, PlayoutBeginsWhenTheBufferIsFullAndRequestsStopThere) {
  SessionDriver d{constant_table(10, {50_kB}), static_options(3)};
  d.link_up(0, "wifi");
  d.wait(1s);
  d.answer(RequestId{1});
  d.answer(RequestId{2});
  EXPECT_TRUE(d.all<action::PlaySegment>().empty());
  d.answer(RequestId{3});
  ASSERT_EQ(d.all<action::PlaySegment>().size(), 1U);
  EXPECT_EQ(d.all<action::PlaySegment>()[0].at, TimePoint{1s});
  // Segment 0 plays, 1 and 2 are buffered: there is room for one more, and no other.
  EXPECT_EQ(d.all<action::StartSegment>().size(), 4U);
  d.answer_all();
  EXPECT_EQ(d.all<action::StartSegment>().size(), 4U);
  d.wait(2s);  // segment 1 begins to play
  EXPECT_EQ(d.all<action::StartSegment>().size(), 5U);
}

TEST(Session, DeliversInOrderWhateverTheOrderOfArrival) {
  SessionDriver d{constant_table(4, {100_kB}), static_options(4)};
  d.link_up(0, "wifi");
  d.link_up(1, "lte");
  d.answer(RequestId{3});
  d.answer(RequestId{2});
  EXPECT_TRUE(d.all<action::DeliverSegment>().empty());
  d.answer(RequestId{1});
  EXPECT_EQ(d.all<action::DeliverSegment>().size(), 3U);
  EXPECT_EQ(d.all<action::DeliverSegment>()[0].segment, SegmentIndex{0});
}

TEST(Session, ALateSegmentIsAMissOfExactlyItsLateness) {
  SessionDriver d{constant_table(5, {100_kB}), static_options(1)};
  d.link_up(0, "wifi");
  d.answer(RequestId{1});  // segment 0 plays from 0 s to 2 s
  d.wait(2700ms);
  const auto stalls = d.all<action::Stall>();
  ASSERT_EQ(stalls.size(), 1U);
  EXPECT_NE(stalls[0].reason.find("request 2 on wifi owes 100000"), std::string::npos) << stalls[0].reason;
  d.answer(RequestId{2});
  const auto played = d.all<action::PlaySegment>();
  ASSERT_EQ(played.size(), 2U);
  EXPECT_EQ(played[1].due, TimePoint{2s});
  EXPECT_EQ(played[1].at, TimePoint{2700ms});
  EXPECT_EQ(played[1].miss, 700ms);
}

TEST(Session, EndsWhenEverythingIsReceivedAndSaysHowTheRestWillPlay) {
  SessionDriver d{constant_table(3, {100_kB}), static_options(6)};
  d.link_up(0, "wifi");
  d.answer_all();
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_TRUE(d.all<action::Finish>()[0].complete);
  const auto played = d.all<action::PlaySegment>();
  ASSERT_EQ(played.size(), 3U);
  EXPECT_EQ(played[2].at, TimePoint{4s});
  EXPECT_TRUE(d.session().finished());
  EXPECT_FALSE(d.session().next_action());
}

TEST(Session, InitSegmentsComeOnceBeforeTheFirstSegmentOfTheirQuality) {
  Presentation presentation = testing::presentation_of({{"low", {10_kB, 10_kB}}, {"high", {30_kB, 30_kB}}});
  for (Track& track : presentation.tracks) track.init = Resource{track.id + "/init.mp4", {0_B, 700_B}, true};
  SessionOptions options = static_options(6);
  options.adaptation = "fixed:high";
  SessionDriver d{SegmentTable{presentation}, options};
  d.link_up(0, "wifi");
  d.answer_all();
  const auto started = d.all<action::StartSegment>();
  ASSERT_EQ(started.size(), 2U);
  EXPECT_EQ(started[0].init_parts, 1U);
  EXPECT_EQ(started[0].size, 30700_B);
  EXPECT_EQ(started[1].init_parts, 0U);
  EXPECT_EQ(d.all<action::SendRequest>()[0].range, (ByteRange{0_B, 700_B}));  // a range ends where its file ends
}

TEST(Session, AStopEndsItAtOnce) {
  SessionDriver d{constant_table(3, {100_kB}), static_options(6)};
  d.link_up(0, "wifi");
  d.happens(event::StopRequested{"enough"});
  ASSERT_EQ(d.all<action::Finish>().size(), 1U);
  EXPECT_FALSE(d.all<action::Finish>()[0].complete);
  EXPECT_EQ(d.all<action::Finish>()[0].reason, "enough");
}

TEST(Session, ImpossibleOptionsAreRefused) {
  SessionOptions options;
  options.depth = 0;
  EXPECT_THROW((Session{constant_table(1, {1_kB}), options}), std::invalid_argument);
  options = {};
  options.mode = StreamingMode::kLiveUnbuffered;
  EXPECT_THROW((Session{constant_table(1, {1_kB}), options}), std::invalid_argument);
}

}  // namespace
}  // namespace tributary
