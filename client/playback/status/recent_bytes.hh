#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The number of bytes that came within a sliding window, exact to a part of the window.
class RecentBytes {
 public:
  RecentBytes(Duration window, std::size_t parts) : part_{window / static_cast<std::int64_t>(parts)}, parts_(parts) {}

  void add(DataSize size, TimePoint now) {
    move_to(now);
    parts_[place(newest_)] += size;
    size_ += size;
  }
  DataSize size(TimePoint now) {
    move_to(now);
    return size_;
  }
  /// Counts over the window, or over the time since the start of the session if that is shorter.
  DataRate rate(TimePoint now) {
    const Duration window = part_ * static_cast<std::int64_t>(parts_.size());
    return size(now) / std::clamp(now.time_since_epoch(), part_, window);
  }

 private:
  void move_to(TimePoint now) {
    const std::int64_t current = now.time_since_epoch() / part_;
    const std::int64_t first = std::max(newest_ + 1, current - static_cast<std::int64_t>(parts_.size()) + 1);
    for (std::int64_t i = first; i <= current; ++i) {
      size_ -= parts_[place(i)];
      parts_[place(i)] = {};
    }
    newest_ = std::max(newest_, current);
  }
  std::size_t place(std::int64_t part) const { return static_cast<std::size_t>(part) % parts_.size(); }

  Duration part_;
  std::vector<DataSize> parts_;
  DataSize size_;
  std::int64_t newest_ = 0;  // number of the part that is being filled
};

}  // namespace tributary
