#include "trace/trace_text.hh"

#include <gtest/gtest.h>

namespace tributary {
namespace {

using namespace literals;
using namespace std::chrono_literals;

TEST(TraceText, WritesALineThatAPersonCanRead) {
  const action::SendRequest request{
      RequestId{12},         LinkId{1}, SegmentIndex{3}, 0, ByteRange{100_kB, 200_kB}, DataRate{1500_kbps},
      "the \"link\" is idle"};
  EXPECT_EQ(to_text(Action{request}),
            "send-request request=12 link=1 segment=3 part=0 range=100000-200000 estimate=1500000 "
            "reason=\"the \\\"link\\\" is idle\" takes_over=-");
}

TEST(TraceText, EverythingReadsBack) {
  const std::vector<Event> events{
      event::LinkUp{LinkId{1}, "wlan 0 = \"x\" \\ \n ü"},
      event::LinkDown{LinkId{1}, ""},
      event::SegmentPublished{SegmentIndex{4}},
      event::ResponseBegan{RequestId{1}},
      event::BytesReceived{RequestId{1}, 1448_B},
      event::RequestDone{RequestId{18446744073709551615U}},
      event::RequestFailed{RequestId{1}, FailureReason::kRangeMismatch, "a b=c"},
      event::RoundTripMeasured{LinkId{0}, 12345us},
      event::DeadlineReached{},
      event::StopRequested{"enough"},
      event::SegmentAdded{SegmentIndex{4}, {{100_kB, 25600}, {20_kB, 95232}}},
      event::SegmentAdded{SegmentIndex{5}, {}},
      event::SegmentAdded{SegmentIndex{6}, {{100_kB, 25600, true, 0}, {20_kB, 95232, false, 12}, {20_kB, 9, true}}},
      event::SegmentAdded{SegmentIndex{7}, {{.size = 100_kB, .ticks = 25600, .estimated = true, .continues = true}}},
      event::WindowMoved{SegmentIndex{2}},
      event::PresentationEnded{},
      event::LinkUp{LinkId{1}, "lte", LinkUse::kWhenNeeded},
      event::LinkUp{LinkId{1}, "lte", LinkUse::kUse, DataRate::bits_per_second(1234567.5), 45ms},
      event::LinkUseChanged{LinkId{1}, LinkUse::kDoNotUse},
      event::SeekRequested{SegmentIndex{3}, 2, 1},
      event::SeekRequested{SegmentIndex{3}, 0, std::nullopt},
      event::QualityChosen{QualityIndex{2}},
      event::QualityChosen{std::nullopt},
      event::QualityChosen{std::nullopt, QualityIndex{1}},
      event::PlayoutReported{PlayoutState::kPaused, SegmentIndex{3}, 1500ms, 0.5},
      event::LinkCostTold{{CostKind::kPaid, 0.01, 5_MB}, LinkId{1}},
      event::LinkCostTold{{CostKind::kMetered, 0, 5_MB, "its cap", 10_MB, 5_MB}, LinkId{1}},
      event::LinkCostTold{{CostKind::kFree, 0, std::nullopt}, LinkId{1}},
      event::SizeTold{SegmentIndex{3}, QualityIndex{2}, 100_kB},
      event::SegmentWanted{SegmentIndex{3}, TimePoint{2s}},
      event::SegmentWanted{SegmentIndex{3}, std::nullopt},
      event::SegmentWanted{SegmentIndex{3}, TimePoint{2s}, Duration{1s}},
      event::SegmentNotWanted{SegmentIndex{3}},
      event::FramesTold{SegmentIndex{3}, QualityIndex{1}, {500_B, 900_B, 1_kB}},
      event::FramesTold{SegmentIndex{3}, QualityIndex{1}, {}},
      event::RestArrived{SegmentIndex{3}},
      event::RestArrived{SegmentIndex{3}, SegmentIndex{2}},
      event::RestArrived{SegmentIndex{3}, SegmentIndex{2}, SegmentIndex{1}, DataSize{5}, DataSize{7}},
  };
  static_assert(std::variant_size_v<Event> == 23, "a new event wants a line here");
  for (const Event& event : events) EXPECT_EQ(to_text(event_from(to_text(event))), to_text(event));
  const std::vector<Action> actions{
      action::StartSegment{SegmentIndex{1}, QualityIndex{2}, 5_kB, 1, DataRate::bits_per_second(1.0 / 3), 4, "r"},
      action::SendRequest{},
      action::DeliverSegment{SegmentIndex{1}},
      action::DeliverSegment{SegmentIndex{1}, 20, 45, 5},
      action::DeliverFrames{SegmentIndex{1}, 10, 20},
      action::SkipSegment{SegmentIndex{1}, 2500ms, "r"},
      action::PlaySegment{SegmentIndex{1}, TimePoint{1ns}, TimePoint{3s}, -1ns},
      action::PlaySegment{SegmentIndex{1}, TimePoint{1ns}, std::nullopt, 0s},
      action::Stall{"r"},
      action::AvoidLink{LinkId{1}, TimePoint{99s}, "r"},
      action::Finish{true, "r"},
      action::AllowPlayout{"r"},
      action::AllDelivered{},
      action::DropSegment{SegmentIndex{1}},
      action::AbandonRequests{LinkId{1}, "r"},
      action::NeedLink{LinkId{1}, true, "r"},
      action::AskSize{RequestId{0x80000000}, LinkId{1}, SegmentIndex{3}, QualityIndex{2}},
      action::LeaveOut{"the quality high is left out for 60 s", "the origin does not have its files"},
      action::OpenLane{lane_of(LinkId{1}, 2), "r"},
      action::CloseLane{lane_of(LinkId{1}, 2), "r"},
      action::SetSpeed{0.97, "r"},
  };
  static_assert(std::variant_size_v<Action> == 19, "a new action wants a line here");
  for (const Action& action : actions) EXPECT_EQ(to_text(action_from(to_text(action))), to_text(action));

  SessionOptions options;
  options.mode = StreamingMode::kLiveUnbuffered;
  options.subsegments = SubsegmentApproach::kStatic;
  options.adaptation = "fixed:super";
  EXPECT_EQ(options_from(to_text(options)), options);
  options.mode = StreamingMode::kDownload;
  EXPECT_EQ(options_from(to_text(options)), options);
  options.startup_segments = 2;
  options.partial = PartialSegments::kPlay;
  options.start = StartRule::kFast;
  options.playout = PlayoutSource::kReported;
  options.stays_open = true;
  options.spend_for = kSpendForStall;
  EXPECT_EQ(options_from(to_text(options)), options);
}

TEST(TraceText, ASegmentMayBeginAStretch) {
  const std::string line = "segment-added segment=3 tracks=0@~5000:20!~2000,1@5000:20!-,2@100:20!742";
  const Event event = event_from(line);
  EXPECT_EQ(to_text(event), line);
  const auto& tracks = std::get<event::SegmentAdded>(event).tracks;
  EXPECT_TRUE(tracks[0].stretch->init->estimated);
  EXPECT_EQ(tracks[0].stretch->init->range.size(), DataSize{2000});
  EXPECT_EQ(tracks[1].stretch, StretchStart{});
  EXPECT_FALSE(tracks[2].stretch->init->estimated);
}

TEST(TraceText, ASegmentMayBeAPieceOfAFile) {
  const std::string line = "segment-added segment=3 tracks=0@+~5000:20*2/4,1@~5000:20*0/4!-";
  const Event event = event_from(line);
  EXPECT_EQ(to_text(event), line);
  EXPECT_EQ(std::get<event::SegmentAdded>(event).tracks[0].piece, (FilePiece{2, 4}));
}

TEST(TraceText, WhatCameLaterIsNotInOldTraces) {
  EXPECT_EQ(to_text(Event{event::LinkUp{LinkId{1}, "lte"}}), "link-up link=1 name=\"lte\"");
  EXPECT_EQ(to_text(event_from("link-up link=1 name=\"lte\" use=do-not-use")),
            "link-up link=1 name=\"lte\" use=do-not-use");
  EXPECT_EQ(to_text(SessionOptions{}).find("startup"), std::string::npos);
}

TEST(TraceText, NamesWhatItCannotRead) {
  const auto message = [](const char* text) -> std::string {
    try {
      event_from(text);
      return "taken";
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
  };
  EXPECT_EQ(message("no-such-thing a=1"), "unknown \"no-such-thing\"");
  EXPECT_EQ(message("request-done"), "missing field \"request\"");
  EXPECT_EQ(message("request-done request=x"), "request: not a number: \"x\"");
  EXPECT_EQ(message("request-failed request=1 reason=bad detail=\"\""), "reason: unknown failure \"bad\"");
  EXPECT_EQ(message("link-up link=1 name=wifi"), "name: not a quoted text: \"wifi\"");
  EXPECT_EQ(message("link-up link=1 name=\"wifi"), "name: not a quoted text: \"\"wifi\"");
  EXPECT_EQ(message("link-up link"), "expected name=value in \"link\"");
}

}  // namespace
}  // namespace tributary
