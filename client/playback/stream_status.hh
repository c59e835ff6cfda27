#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/costs/link_cost.hh"
#include "core/links/link_use.hh"
#include "playback/stall_reason.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/failure_reason.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

enum class LinkActivity {
  kUsed,     // bytes are on their way
  kIdle,     // nothing is wanted of it at this moment
  kSuspect,  // it owes bytes, and none came for longer than its rate explains
  kAvoided,  // it failed, and is left alone for a while or for good
  kUsedUp,   // it has brought all that it may
  kStandby,  // the user wants it only when needed, and it is not
  kOff,      // the user does not want it
  kDown,     // the system says that it cannot reach the origin
};

/// One link as a person wants to see it.
struct LinkStatus {
  LinkId id{};
  std::string name;  // "wlan0"
  std::string kind;  // "wifi", "cellular", "ethernet", "virtual", "loopback"
  LinkUse use = LinkUse::kUse;
  LinkActivity activity = LinkActivity::kIdle;
  Duration silent{};                       // no byte came for so long, although some are owed
  std::optional<Duration> avoided_for{};   // so much longer; while it is avoided, nothing: for good
  std::optional<FailureReason> failure{};  // why it is avoided
  std::string why_down{};                  // as LinkChangeNotice says it
  std::string why;                         // the activity in words, with what was seen
  DataRate rate_now, rate_last_minute;
  double share = 0;  // of all bytes of the last 15 s, 0 to 1
  DataSize received;
  LinkCost cost;
  std::optional<Duration> round_trip;
  std::uint32_t outstanding = 0;
  DataSize outstanding_bytes;
};

/// One moment of the history, for a chart. One every half second.
struct StatusSample {
  TimePoint at;
  Duration buffered{};
  std::optional<QualityIndex> quality;  // that was requested last
  bool stalled = false;
  std::vector<DataRate> rates;  // by LinkId
};

struct StallStatus {
  TimePoint at;
  Duration length{};  // until now, if it is not over
  bool over = true;
  StallReason reason{};
  std::string detail{};  // which range was late, on which link, and what would have avoided it
};

/// What a stream does at one moment. A copy: it can be kept.
struct StreamStatus {
  TimePoint now;
  /// What keeps the stream from being opened, in words: "no link leads to http://origin: wlan0 has no carrier". Empty:
  /// nothing, or it is open.
  std::string waiting_for;
  std::vector<LinkStatus> links;        // in the order of their ids
  Duration buffered{};                  // complete and not yet played
  std::optional<QualityIndex> quality;  // requested last
  std::optional<DataRate> throughput;   // of all links, as the quality was chosen by
  Duration available{};                 // timeline that exists: all of it on demand, up to the live edge if live
  Duration window_start{};              // live: the origin has nothing before
  std::optional<Duration> behind_live;  // live: how far playout is behind the edge
  std::uint32_t skipped = 0, stalls = 0;
  std::optional<StallStatus> last_stall;
  std::vector<StatusSample> history;  // of the last five minutes
};

}  // namespace tributary
