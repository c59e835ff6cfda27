#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/costs/link_cost.hh"
#include "core/links/link_use.hh"
#include "playback/status/stall_reason.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

enum class LinkActivity {
  kUsed,     // bytes are on their way, or came within the last second
  kIdle,     // no request is outstanding
  kSuspect,  // the link owes bytes, and none came for longer than its rate explains
  kAvoided,  // the link failed, and is left alone for a while or for good
  kUsedUp,   // the link has brought all bytes that it may
  kStandby,  // the user wants the link only when needed, and it is not needed
  kOff,      // the user does not want the link
  kDown,     // by the system, the link cannot reach the origin
};

inline std::span<const std::string_view> names_of(LinkActivity) {
  static constexpr std::array<std::string_view, 8> kNames{"used",    "idle",    "suspect", "avoided",
                                                          "used-up", "standby", "off",     "down"};
  return kNames;
}

/// One link, for display.
struct LinkStatus {
  LinkId id{};
  std::string name;  // "wlan0"
  std::string kind;  // "wifi", "cellular", "ethernet", "virtual", "loopback"
  LinkUse use = LinkUse::kUse;
  LinkActivity activity = LinkActivity::kIdle;
  Duration silent{};                       // time since the last byte, while bytes are owed
  std::optional<Duration> avoided_for{};   // rest of the time; nothing while kAvoided: for good
  std::optional<FailureReason> failure{};  // reason to avoid the link
  std::string why_down{};                  // in the words of LinkChangeNotice
  std::string why;                         // the activity in words, with its signs
  DataRate rate_now, rate_last_minute;
  std::optional<DataRate> rate_when_busy{};  // while bytes came; nothing: neither measured nor remembered
  double share = 0;                          // of all bytes of the last 15 s, 0 to 1
  DataSize received;
  LinkCost cost;
  std::optional<Duration> round_trip;
  std::uint32_t connections = 1;  // to the origin
  std::uint32_t outstanding = 0;
  DataSize outstanding_bytes;
};

/// One moment of the history, for a chart. There is one every half second.
struct StatusSample {
  TimePoint at;
  Duration buffered{};
  std::optional<QualityIndex> quality;  // of the last requested segment
  bool stalled = false;
  std::vector<DataRate> rates;  // by LinkId
};

struct StallStatus {
  TimePoint at;
  Duration length{};  // so far, if the stall is not over
  bool over = true;
  StallReason reason{};
  std::string detail{};  // the late range, its link, and the remedy
};

/// The state of a stream at one moment. A copy, which the caller may keep.
struct StreamStatus {
  TimePoint now;
  /// The obstacle to opening the stream, in words: "no link leads to http://origin: wlan0 has no carrier". Empty: there
  /// is none, or the stream is open.
  std::string waiting_for;
  std::vector<LinkStatus> links;        // in the order of their ids
  Duration buffered{};                  // complete and not yet played
  std::optional<QualityIndex> quality;  // of the last requested segment
  std::optional<DataRate> throughput;   // of all links, by which the quality was chosen
  Duration available{};                 // timeline that exists: all of it on demand, up to the live edge if live
  Duration window_start{};              // live: the origin has no earlier segment
  std::optional<Duration> behind_live;  // live: how far playout is behind the edge
  Duration latency_target{};            // and how far it is steered to be; 0: it is not
  std::uint32_t skipped = 0, stalls = 0;
  std::optional<StallStatus> last_stall;
  std::vector<StatusSample> history;  // of the last five minutes
};

}  // namespace tributary
