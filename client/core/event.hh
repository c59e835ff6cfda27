#pragma once

#include <string>
#include <variant>
#include <vector>

#include "core/described.hh"
#include "presentation/segment_table.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

/// What happened in the world. An event comes with the time at which it happened.
namespace tributary::event {

/// A link can be used. A link that returns has the id that it had before.
struct LinkUp {
  LinkId link{};
  std::string name;
  static constexpr std::string_view kName = "link-up";
  static constexpr auto fields() {
    return std::tuple{field("link", &LinkUp::link), field("name", &LinkUp::name)};
  }
};

/// The link cannot be used any more. A RequestFailed follows for everything it has outstanding.
struct LinkDown {
  LinkId link{};
  std::string why;
  static constexpr std::string_view kName = "link-down";
  static constexpr auto fields() {
    return std::tuple{field("link", &LinkDown::link), field("why", &LinkDown::why)};
  }
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
  static constexpr std::string_view kName = "segment-published";
  static constexpr auto fields() { return std::tuple{field("segment", &SegmentPublished::segment)}; }
};

struct ResponseBegan {
  RequestId request{};
  static constexpr std::string_view kName = "response-began";
  static constexpr auto fields() { return std::tuple{field("request", &ResponseBegan::request)}; }
};

/// The next bytes of the request's range. The bytes themselves stay with the world.
struct BytesReceived {
  RequestId request{};
  DataSize size;
  static constexpr std::string_view kName = "bytes-received";
  static constexpr auto fields() {
    return std::tuple{field("request", &BytesReceived::request), field("size", &BytesReceived::size)};
  }
};

struct RequestDone {
  RequestId request{};
  static constexpr std::string_view kName = "request-done";
  static constexpr auto fields() { return std::tuple{field("request", &RequestDone::request)}; }
};

/// What was received before stays good; the rest will not come.
struct RequestFailed {
  RequestId request{};
  FailureReason reason{};
  std::string detail;
  static constexpr std::string_view kName = "request-failed";
  static constexpr auto fields() {
    return std::tuple{field("request", &RequestFailed::request), field("reason", &RequestFailed::reason),
                      field("detail", &RequestFailed::detail)};
  }
};

/// The smoothed round trip of the link's connection, told when a request is done.
struct RoundTripMeasured {
  LinkId link{};
  Duration round_trip{};
  static constexpr std::string_view kName = "round-trip";
  static constexpr auto fields() {
    return std::tuple{field("link", &RoundTripMeasured::link), field("rtt", &RoundTripMeasured::round_trip)};
  }
};

/// The moment that the session asked to be woken at.
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
                           event::BytesReceived, event::RequestDone, event::RequestFailed,
                           event::RoundTripMeasured, event::DeadlineReached, event::StopRequested,
                           event::SegmentAdded, event::WindowMoved, event::PresentationEnded>;

}  // namespace tributary
