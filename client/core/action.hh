#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "core/described.hh"
#include "units/byte_range.hh"
#include "units/data_rate.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

/// Orders and notices of the session. Each has its reason.
namespace tributary::action {

/// From now on the segment is requested in this quality.
struct StartSegment {
  SegmentIndex segment{};
  QualityIndex quality{};
  DataSize size;                       // of all its parts
  std::uint32_t init_parts = 0;        // how many of its first parts are init segments
  std::optional<DataRate> throughput;  // aggregate estimate, the basis of the choice
  std::uint32_t buffered = 0;          // complete segments not yet playing
  std::string reason;
  static constexpr std::string_view kName = "start-segment";
  static constexpr auto fields() {
    return std::tuple{field("segment", &StartSegment::segment),
                      field("quality", &StartSegment::quality),
                      field("size", &StartSegment::size),
                      field("init_parts", &StartSegment::init_parts),
                      field("throughput", &StartSegment::throughput),
                      field("buffered", &StartSegment::buffered),
                      field("reason", &StartSegment::reason)};
  }
};

/// Ask for a range of one part of a segment over this link.
struct SendRequest {
  RequestId request{};
  LinkId link{};
  SegmentIndex segment{};
  std::uint32_t part = 0;            // init parts first, then SegmentTable::parts
  ByteRange range;                   // within the part
  std::optional<DataRate> estimate;  // of the link
  std::string reason;
  std::optional<RequestId> takes_over{};  // the request that asked another link for these bytes, which may be late
  bool afresh = false;  // the whole part, in one answer: earlier bytes of it, here or on their way, are dropped
  bool open = false;    // the size of the part is not known: the range may reach beyond its end, or not as far
  static constexpr std::string_view kName = "send-request";
  static constexpr auto fields() {
    return std::tuple{field("request", &SendRequest::request),     field("link", &SendRequest::link),
                      field("segment", &SendRequest::segment),     field("part", &SendRequest::part),
                      field("range", &SendRequest::range),         field("estimate", &SendRequest::estimate),
                      field("reason", &SendRequest::reason),       field("takes_over", &SendRequest::takes_over),
                      later_field("afresh", &SendRequest::afresh), later_field("open", &SendRequest::open)};
  }
};

/// Ask over this link for the size of the picture of a segment that is not started. The world asks for one byte, and
/// tells event::SizeTold if there is an answer.
struct AskSize {
  RequestId request{};
  LinkId link{};
  SegmentIndex segment{};
  QualityIndex quality{};
  static constexpr std::string_view kName = "ask-size";
  static constexpr auto fields() {
    return std::tuple{field("request", &AskSize::request), field("link", &AskSize::link),
                      field("segment", &AskSize::segment), field("quality", &AskSize::quality)};
  }
};

/// The segment plays while it comes. These frames of its picture, which follow those before, go to the sink; with the
/// first ones, so do its other parts.
struct DeliverFrames {
  SegmentIndex segment{};
  std::uint32_t begin = 0, end = 0;  // in decoding order
  static constexpr std::string_view kName = "deliver-frames";
  static constexpr auto fields() {
    return std::tuple{field("segment", &DeliverFrames::segment), field("begin", &DeliverFrames::begin),
                      field("end", &DeliverFrames::end)};
  }
};

/// The segment is complete, and so are (unless this is a download) all before it: it goes to the sink. Of one that plays
/// already, what is left goes there, and it may end before it is complete.
struct DeliverSegment {
  SegmentIndex segment{};
  std::uint32_t begin = 0;        // so many frames went there before
  std::uint32_t end = 0;          // not complete: so many are there; 0: all
  std::uint32_t frames_lost = 0;  // that came too late to be shown, or not at all
  static constexpr std::string_view kName = "deliver-segment";
  static constexpr auto fields() {
    return std::tuple{field("segment", &DeliverSegment::segment), later_field("begin", &DeliverSegment::begin),
                      later_field("end", &DeliverSegment::end),
                      later_field("frames_lost", &DeliverSegment::frames_lost)};
  }
};

/// The segment is given up: to come closer to the live edge, or because the origin does not have it, or not any more.
struct SkipSegment {
  SegmentIndex segment{};
  Duration lag{};
  std::string reason;
  std::string
      missing{};  // the file that the origin does not have, without its query; empty: it is given up for its lag
  static constexpr std::string_view kName = "skip-segment";
  static constexpr auto fields() {
    return std::tuple{field("segment", &SkipSegment::segment), field("lag", &SkipSegment::lag),
                      field("reason", &SkipSegment::reason), later_field("missing", &SkipSegment::missing)};
  }
};

/// The origin does not have a quality, or a sound, or one segment of a sound: playout goes on without it.
struct LeaveOut {
  std::string what;  // "the quality high is left out for 60 s"
  std::string reason;
  static constexpr std::string_view kName = "leave-out";
  static constexpr auto fields() {
    return std::tuple{field("what", &LeaveOut::what), field("reason", &LeaveOut::reason)};
  }
};

/// The segment starts to play. due is empty for the first; a miss is longer than nothing if it was late.
struct PlaySegment {
  SegmentIndex segment{};
  TimePoint at;
  std::optional<TimePoint> due;
  Duration miss{};
  static constexpr std::string_view kName = "play-segment";
  static constexpr auto fields() {
    return std::tuple{field("segment", &PlaySegment::segment), field("at", &PlaySegment::at),
                      field("due", &PlaySegment::due), field("miss", &PlaySegment::miss)};
  }
};

/// Playout stands still: the segment that should play now is not complete.
struct Stall {
  std::string reason;  // which ranges are late, on which links
  static constexpr std::string_view kName = "stall";
  static constexpr auto fields() { return std::tuple{field("reason", &Stall::reason)}; }
};

/// A player that reports may begin, or go on after a stall: enough is complete.
struct AllowPlayout {
  std::string reason;
  static constexpr std::string_view kName = "allow-playout";
  static constexpr auto fields() { return std::tuple{field("reason", &AllowPlayout::reason)}; }
};

/// From now on playout is to have this speed, so that it keeps the distance to the live edge. A player keeps the pitch.
struct SetSpeed {
  double speed = 1;
  std::string reason;
  static constexpr std::string_view kName = "set-speed";
  static constexpr auto fields() {
    return std::tuple{field("speed", &SetSpeed::speed), field("reason", &SetSpeed::reason)};
  }
};

/// Everything up to the end of the presentation is delivered. The session stays open.
struct AllDelivered {
  static constexpr std::string_view kName = "all-delivered";
  static constexpr auto fields() { return std::tuple{}; }
};

/// A segment that was being received is not wanted any more, or not in this quality. Bytes of it that are on their way
/// are dropped.
struct DropSegment {
  SegmentIndex segment{};
  static constexpr std::string_view kName = "drop-segment";
  static constexpr auto fields() { return std::tuple{field("segment", &DropSegment::segment)}; }
};

/// All outstanding requests of the link are to fail now (FailureReason::kAbandoned).
struct AbandonRequests {
  LinkId link{};
  std::string reason;
  static constexpr std::string_view kName = "abandon-requests";
  static constexpr auto fields() {
    return std::tuple{field("link", &AbandonRequests::link), field("reason", &AbandonRequests::reason)};
  }
};

/// From now on a standby link is used, or no longer used.
struct NeedLink {
  LinkId link{};
  bool needed = false;
  std::string reason;
  static constexpr std::string_view kName = "need-link";
  static constexpr auto fields() {
    return std::tuple{field("link", &NeedLink::link), field("needed", &NeedLink::needed),
                      field("reason", &NeedLink::reason)};
  }
};

/// One more connection over a link, or one that is not used any more. The world opens it as a link of its own
/// (event::LinkUp), or does nothing.
struct OpenLane {
  LinkId lane{};  // units/identifiers.hh
  std::string reason;
  static constexpr std::string_view kName = "open-lane";
  static constexpr auto fields() {
    return std::tuple{field("link", &OpenLane::lane), field("reason", &OpenLane::reason)};
  }
};
/// It owes nothing.
struct CloseLane {
  LinkId lane{};
  std::string reason;
  static constexpr std::string_view kName = "close-lane";
  static constexpr auto fields() {
    return std::tuple{field("link", &CloseLane::lane), field("reason", &CloseLane::reason)};
  }
};

/// A link is left alone for a while, or for good.
struct AvoidLink {
  LinkId link{};
  std::optional<TimePoint> until;
  std::string reason;
  static constexpr std::string_view kName = "avoid-link";
  static constexpr auto fields() {
    return std::tuple{field("link", &AvoidLink::link), field("until", &AvoidLink::until),
                      field("reason", &AvoidLink::reason)};
  }
};

/// The session is over; no further action follows.
struct Finish {
  bool complete = false;  // every segment was received (or skipped as the mode wants it)
  std::string reason;
  bool used_up = false;   // the remaining links have used up their caps
  std::string missing{};  // the file that the origin does not give out, without its query, if that is why
  static constexpr std::string_view kName = "finish";
  static constexpr auto fields() {
    return std::tuple{field("complete", &Finish::complete), field("reason", &Finish::reason),
                      later_field("used_up", &Finish::used_up), later_field("missing", &Finish::missing)};
  }
};

}  // namespace tributary::action

namespace tributary {

using Action =
    std::variant<action::StartSegment, action::SendRequest, action::DeliverSegment, action::SkipSegment,
                 action::PlaySegment, action::Stall, action::AvoidLink, action::Finish, action::AllowPlayout,
                 action::AllDelivered, action::DropSegment, action::AbandonRequests, action::NeedLink, action::AskSize,
                 action::LeaveOut, action::DeliverFrames, action::OpenLane, action::CloseLane, action::SetSpeed>;

}  // namespace tributary
