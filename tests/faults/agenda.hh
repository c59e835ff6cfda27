#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "units/session_clock.hh"

namespace tributary::testing {

/// What is to happen in virtual time. What is to happen at one moment happens in the order in which it was entered.
class Agenda {
 public:
  using Happening = std::function<void()>;

  void at(TimePoint time, Happening what) { entries_.push({std::max(time, now_), ++entered_, std::move(what)}); }
  TimePoint now() const { return now_; }
  std::optional<TimePoint> next() const {
    if (entries_.empty()) return std::nullopt;
    return entries_.top().at;
  }
  /// Lets everything happen up to and including `time`.
  void run_until(TimePoint time) {
    while (!entries_.empty() && entries_.top().at <= time) {
      const Entry entry = entries_.top();
      entries_.pop();
      now_ = entry.at;
      entry.what();
    }
    now_ = time;
  }

 private:
  struct Entry {
    TimePoint at;
    std::uint64_t order = 0;
    Happening what;
    bool operator<(const Entry& other) const {
      return at != other.at ? at > other.at : order > other.order;  // the earliest on top
    }
  };

  std::priority_queue<Entry> entries_;
  std::uint64_t entered_ = 0;
  TimePoint now_;
};

}  // namespace tributary::testing
