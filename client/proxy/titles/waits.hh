#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <set>
#include <vector>

#include "playback/status/stall_reason.hh"
#include "units/session_clock.hh"

namespace tributary::proxy {

/// A player had nothing more to play, as far as it tells or its requests do, because a file was not there in time.
struct Wait {
  std::chrono::system_clock::time_point at;  // its beginning
  Duration length{};                         // up to now, if it goes on
  StallReason reason;
};

/// Keeps the last waits of a title's players. A file that comes too late is a wait from when the player needs all of it; files
/// that are late at the same time are one. Thread-safe.
class Waits {
 public:
  /// The file of this number is late. `late_for`: since the player needed it. `reason`: as it looks at this moment.
  void is_late(std::uint64_t file, Duration late_for, const StallReason& reason);
  /// The file is there, or nobody wants it any more.
  void ended(std::uint64_t file);
  /// The oldest first.
  std::vector<Wait> all() const;

 private:
  static constexpr std::size_t kMost = 20;

  mutable std::mutex mutex_;
  std::deque<Wait> waits_;
  std::set<std::uint64_t> late_;  // the files of the wait that goes on
};

/// "lte owes a part, and brings nothing."
std::string sentence(const StallReason& reason);

}  // namespace tributary::proxy
