#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/costs/link_cost.hh"
#include "core/described.hh"
#include "core/links/link_use.hh"
#include "core/playout/playout_state.hh"
#include "presentation/segments/segment_table.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

/// Events of the world. Each comes with the time at which it happened.
namespace tributary::event {

/// A link can be used. A returning link has its former id.
struct LinkUp {
  LinkId link{};
  std::string name;
  LinkUse use = LinkUse::kUse;
  std::optional<DataRate> remembered_rate{};  // of an earlier session (remembered_link.hh)
  Duration remembered_rtt{};
  /// A connection beside the session's brings this, and does not fill the link.
  std::optional<DataRate> one_connection{};
  static constexpr std::string_view kName = "link-up";
  static constexpr auto fields() {
    return std::tuple{field("link", &LinkUp::link),
                      field("name", &LinkUp::name),
                      later_field("use", &LinkUp::use),
                      later_field("remembered_rate", &LinkUp::remembered_rate),
                      later_field("remembered_rtt", &LinkUp::remembered_rtt),
                      later_field("one_connection", &LinkUp::one_connection)};
  }
};

/// The cost of a link, and how many bytes the session may request over it, counted from its start. Told before the link
/// is up, and again after a change.
struct LinkCostTold : LinkCost {
  LinkId link{};
  static constexpr std::string_view kName = "link-cost";
  static constexpr auto fields() {
    return std::tuple{field("link", &LinkCostTold::link),
                      field("kind", &LinkCostTold::kind),
                      field("price_per_mb", &LinkCostTold::price_per_mb),
                      field("allowed", &LinkCostTold::allowed),
                      later_field("why_not_more", &LinkCostTold::why_not_more),
                      later_field("cap", &LinkCostTold::cap),
                      later_field("used_before", &LinkCostTold::used_before)};
  }
};

/// The user changed the use of a link that was up before.
struct LinkUseChanged {
  LinkId link{};
  LinkUse use{};
  static constexpr std::string_view kName = "link-use";
  static constexpr auto fields() {
    return std::tuple{field("link", &LinkUseChanged::link), field("use", &LinkUseChanged::use)};
  }
};

/// The link cannot be used any more. A RequestFailed follows for everything it has outstanding.
struct LinkDown {
  LinkId link{};
  std::string why;
  static constexpr std::string_view kName = "link-down";
  static constexpr auto fields() { return std::tuple{field("link", &LinkDown::link), field("why", &LinkDown::why)}; }
};

/// The index lists a further segment: the table grows. SegmentPublished follows at once.
struct SegmentAdded {
  SegmentIndex segment{};
  std::vector<TrackSegment> tracks;  // one for each track of the presentation
  static constexpr std::string_view kName = "segment-added";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SegmentAdded::segment), field("tracks", &SegmentAdded::tracks)};
  }
};

/// The origin has removed all segments before this one, or is about to.
struct WindowMoved {
  SegmentIndex first{};
  static constexpr std::string_view kName = "window-moved";
  static constexpr auto fields() { return std::tuple{field("first", &WindowMoved::first)}; }
};

/// No further segment will be added.
struct PresentationEnded {
  static constexpr std::string_view kName = "presentation-ended";
  static constexpr auto fields() { return std::tuple{}; }
};

/// The origin has this segment (and all before it) in all qualities. On demand nothing waits for this.
struct SegmentPublished {
  SegmentIndex segment{};
  Duration age{};  // since it was published, where that is known to be earlier
  static constexpr std::string_view kName = "segment-published";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SegmentPublished::segment), later_field("age", &SegmentPublished::age)};
  }
};

struct ResponseBegan {
  RequestId request{};
  /// Size of the part, where the session did not know it and the answer states it.
  std::optional<DataSize> part_size{};
  static constexpr std::string_view kName = "response-began";
  static constexpr auto fields() {
    return std::tuple{field("request", &ResponseBegan::request), later_field("part_size", &ResponseBegan::part_size)};
  }
};

/// The next bytes of the request's range; of a whole part of unknown size also those behind it. The bytes themselves stay with the world.
struct BytesReceived {
  RequestId request{};
  DataSize size;
  bool paced = false;  // they came when they were made, or before they were asked for: that tells nothing of the link
  static constexpr std::string_view kName = "bytes-received";
  static constexpr auto fields() {
    return std::tuple{field("request", &BytesReceived::request), field("size", &BytesReceived::size),
                      later_field("paced", &BytesReceived::paced)};
  }
};

/// The answer to action::AskSize: the picture of the segment has this size in this quality.
struct SizeTold {
  SegmentIndex segment{};
  QualityIndex quality{};
  DataSize size;
  static constexpr std::string_view kName = "size-told";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SizeTold::segment), field("quality", &SizeTold::quality),
                      field("size", &SizeTold::size)};
  }
};

/// The picture of a segment that is being received in this quality has these frames, in decoding order. The world tells
/// it only with PartialSegments::kPlay, as soon as it knows.
struct FramesTold {
  SegmentIndex segment{};
  QualityIndex quality{};
  std::vector<DataSize> ends;  // where each frame ends, in bytes from the beginning of the part
  static constexpr std::string_view kName = "frames-told";
  static constexpr auto fields() {
    return std::tuple{field("segment", &FramesTold::segment), field("quality", &FramesTold::quality),
                      field("ends", &FramesTold::ends)};
  }
};

/// All bytes of the range are there, up to the end of the part.
struct RequestDone {
  RequestId request{};
  static constexpr std::string_view kName = "request-done";
  static constexpr auto fields() { return std::tuple{field("request", &RequestDone::request)}; }
};

/// Bytes received before stay good; the rest will not come.
struct RequestFailed {
  RequestId request{};
  FailureReason reason{};
  std::string detail;
  std::optional<Duration> retry_after{};  // how long the origin wants to be left alone
  bool beyond_end = false;                // no byte of the range exists, and the origin tells no size
  static constexpr std::string_view kName = "request-failed";
  static constexpr auto fields() {
    return std::tuple{field("request", &RequestFailed::request), field("reason", &RequestFailed::reason),
                      field("detail", &RequestFailed::detail), later_field("retry_after", &RequestFailed::retry_after),
                      later_field("beyond_end", &RequestFailed::beyond_end)};
  }
};

/// The smoothed round trip of the link's connection, and its recent minimum. Told when a request is done.
struct RoundTripMeasured {
  LinkId link{};
  Duration round_trip{};
  Duration least{};
  static constexpr std::string_view kName = "round-trip";
  static constexpr auto fields() {
    return std::tuple{field("link", &RoundTripMeasured::link), field("rtt", &RoundTripMeasured::round_trip),
                      later_field("least", &RoundTripMeasured::least)};
  }
};

/// Playout goes on with this segment. The buffer is emptied, except for the segments that a cache still has: they count
/// as buffered, and are not delivered again.
struct SeekRequested {
  SegmentIndex segment{};
  std::uint32_t cached = 0;            // number of cached segments, from this one on
  std::optional<std::uint32_t> sound;  // the new sound track, if it changes
  static constexpr std::string_view kName = "seek";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SeekRequested::segment), field("cached", &SeekRequested::cached),
                      field("sound", &SeekRequested::sound)};
  }
};

/// Holds from the next segment that is started; without `quality`, the adaptation decides, up to `at_most`.
struct QualityChosen {
  std::optional<QualityIndex> quality, at_most{};
  static constexpr std::string_view kName = "quality-chosen";
  static constexpr auto fields() {
    return std::tuple{field("quality", &QualityChosen::quality), later_field("at_most", &QualityChosen::at_most)};
  }
};

/// State of a player. Before its first report, and between a seek and the next report, it plays nothing.
struct PlayoutReported {
  PlayoutState state{};
  SegmentIndex segment{};
  Duration left{};   // of the segment, on the timeline
  double speed = 1;  // while it plays
  static constexpr std::string_view kName = "playout";
  static constexpr auto fields() {
    return std::tuple{field("state", &PlayoutReported::state), field("segment", &PlayoutReported::segment),
                      field("left", &PlayoutReported::left), field("speed", &PlayoutReported::speed)};
  }
};

/// The world has this segment and all behind it by other means: the session need not request them. The world tells this
/// again whenever it has more by those means. Only downloads, which deliver segments in any order, take it in.
struct RestArrived {
  SegmentIndex segment{};
  std::optional<SegmentIndex> coming{};  // no segment from this one on is to be started until the next such event
  /// Of this one, so many bytes from its front are here, and so many come: links are asked for the others only.
  SegmentIndex shared{};
  DataSize here{}, until{};
  static constexpr std::string_view kName = "rest-arrived";
  static constexpr auto fields() {
    return std::tuple{field("segment", &RestArrived::segment), later_field("coming", &RestArrived::coming),
                      later_field("shared", &RestArrived::shared), later_field("here", &RestArrived::here),
                      later_field("until", &RestArrived::until)};
  }
};

/// Demanded: a player wants this segment, or wants it at another time than it was told before.
struct SegmentWanted {
  SegmentIndex segment{};
  std::optional<TimePoint> due;  // nothing: nobody waits for it, but somebody may
  /// How long the player can play without it, in case the session is to choose its quality. Nothing: it is the lowest.
  std::optional<Duration> in_hand{};
  std::optional<SegmentIndex> behind{};  // the player needs that one first, if it is still to come
  static constexpr std::string_view kName = "segment-wanted";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SegmentWanted::segment), field("due", &SegmentWanted::due),
                      later_field("in_hand", &SegmentWanted::in_hand), later_field("behind", &SegmentWanted::behind)};
  }
};

/// Demanded: nobody wants this segment any more.
struct SegmentNotWanted {
  SegmentIndex segment{};
  static constexpr std::string_view kName = "segment-not-wanted";
  static constexpr auto fields() { return std::tuple{field("segment", &SegmentNotWanted::segment)}; }
};

/// The session asked to be woken at this moment.
struct DeadlineReached {
  static constexpr std::string_view kName = "deadline";
  static constexpr auto fields() { return std::tuple{}; }
};

/// The user, or the machine, wants the session to end.
struct StopRequested {
  std::string why;
  static constexpr std::string_view kName = "stop";
  static constexpr auto fields() { return std::tuple{field("why", &StopRequested::why)}; }
};

}  // namespace tributary::event

namespace tributary {

using Event = std::variant<event::LinkUp, event::LinkDown, event::SegmentPublished, event::ResponseBegan,
                           event::BytesReceived, event::RequestDone, event::RequestFailed, event::RoundTripMeasured,
                           event::DeadlineReached, event::StopRequested, event::SegmentAdded, event::WindowMoved,
                           event::PresentationEnded, event::LinkUseChanged, event::SeekRequested, event::QualityChosen,
                           event::PlayoutReported, event::LinkCostTold, event::RestArrived, event::SizeTold,
                           event::SegmentWanted, event::SegmentNotWanted, event::FramesTold>;

}  // namespace tributary
