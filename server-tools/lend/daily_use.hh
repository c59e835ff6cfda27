#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// What members have used of the uplink today, each alone and all together, in files that outlive the program
/// (accounts/usage_books.hh). Bytes are taken ahead and count at once, so that no cap is ever exceeded; what was taken and
/// not used when a program is killed stays counted.
class DailyUse {
 public:
  struct Caps {
    std::optional<DataSize> all, member;
    bool any() const { return all || member; }
  };
  struct Clock {
    std::function<std::string()> today;  // "2026-01-02"
    std::function<TimePoint()> now;
  };
  /// This machine's. Its days are those of local time, by which people count them.
  static Clock own_clock();

  DailyUse(std::string folder, Caps caps, std::function<void(const std::string&)> warn, Clock clock = own_clock())
      : folder_{std::move(folder)},
        caps_{caps},
        warn_{caps.any() ? std::move(warn) : unsaid},
        clock_{std::move(clock)} {}

  const Caps& caps() const { return caps_; }
  std::string today() const { return clock_.today(); }

  /// Bytes of the caps of a day.
  struct Taken {
    std::string day;
    DataSize size;
  };
  /// Takes at most `wanted` of today's for a member. Without caps all of it, counted where
  /// that is possible: a cap may be said later.
  Taken take(const std::string& member, DataSize wanted);
  /// Bytes of another day are given back to that day: nobody can take them any more.
  void give_back(const std::string& member, const Taken& unused);
  /// The bytes that a member may still take today. Nothing: any number. May be asked often: what other programs have taken is
  /// seen with this delay.
  std::optional<DataSize> left(const std::string& member) const;
  static constexpr Duration kDelay = std::chrono::seconds{2};

 private:
  static void unsaid(const std::string& /*text*/) {}
  DataSize left_in_books(const std::string& member) const;

  struct Left {
    DataSize size;
    std::string day;
    TimePoint until;
  };

  std::string folder_;
  Caps caps_;
  std::function<void(const std::string&)> warn_;
  Clock clock_;
  mutable std::map<std::string, Left> left_;  // of members: as the books had it last
};

}  // namespace tributary::lending
