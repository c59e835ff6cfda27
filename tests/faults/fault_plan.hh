#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/session_options.hh"
#include "core/world.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::testing {

/// How a link is, from this moment on.
struct LinkPhase {
  TimePoint at;
  enum class State {
    kUp,
    kDown,     // gone, and the machine knows
    kSilent,   // nothing gets through, and nobody says so
    kNoRoute,  // nor does anything, and who connects is told so
  } state = State::kUp;
  DataRate rate;
  Duration rtt{};
  double loss = 0;  // of pieces of 1 to 16 kB; a lost one comes a round trip later
};

/// What an origin does wrong.
enum class ServerFault {
  kNone,
  kCloseAnnounced,    // Connection: close, and closes behind the response
  kCloseUnannounced,  // closes behind the response
  kResetBehind,       // resets, whatever is outstanding
  kRefuseRange,       // 200 and the whole file
  kShiftedRange,      // the range begins elsewhere
  kShortRange,        // fewer bytes than were asked for, as is allowed
  kTruncated,         // closes within the body
  kTrickle,           // the body comes in drops
  kNoAnswer,          // nothing comes, ever
  kNotFound,
  kForbidden,
  kNotSatisfiable,
  kBusy,
  kTooMany,
  kRedirect,
  kOtherTag,  // another ETag, sometimes with other bytes
  kOtherLength,
  kGzip,
  kMultipart,
  kGarbage,     // no HTTP at all
  kExtraBytes,  // behind the response
  kEndlessHead,
  kChunked,  // allowed
  kInterim,  // allowed: 103 before the answer
  kNoLength,
  kTransferCoding,  // gzip, and then chunked
  kCodedAnswer,     // gzip of the range alone
  kOtherWeakTag,    // another version, of which only a weak ETag tells
  kOtherTime,       // another version, of which only Last-Modified tells
  // Of origins that are slow, or cannot take several requests on a connection: not in random plans.
  kSlowFirstByte,   // three seconds
  kPause,           // of three seconds, in the middle of the body
  kLosesPipelined,  // what comes while an answer is on its way is never answered
  kOvertakes,       // it is answered first
};
std::string_view to_string(ServerFault fault);

/// Something that the origin, or what is between, does to requests over one link, or over all, for a time.
struct FaultWindow {
  ServerFault fault{};
  std::optional<std::uint32_t> link;  // nothing: all
  TimePoint from, until;
  double probability = 1;  // of each request
};

/// One experiment: a title, the links it comes over, and all that goes wrong. A function of its seed.
struct FaultPlan {
  std::uint64_t seed = 0;
  SessionOptions options;
  std::vector<std::vector<std::int64_t>> sizes;  // of segments, by quality, lowest first
  std::vector<std::vector<LinkPhase>> links;     // the first phase of each is at the start
  std::vector<FaultWindow> faults;
  std::vector<TimedEvent> wishes;
  /// This link carries everything without a fault, in twice the time that playing takes, or less.
  std::optional<std::uint32_t> survivor;
};

FaultPlan random_plan(std::uint64_t seed);
/// One in which the origin is like this over all links, from beginning to end, and nothing else goes wrong.
FaultPlan plan_with(ServerFault habit, std::uint32_t links);
/// For people.
std::string describe(const FaultPlan& plan);

}  // namespace tributary::testing
