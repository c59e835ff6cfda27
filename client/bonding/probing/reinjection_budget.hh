#pragma once

#include <algorithm>

#include "units/data_size.hh"

namespace tributary::bonding {

/// How many bytes may be sent a second time, over another path than the first. A twentieth of the bytes that are sent once
/// is saved for that, up to 512 kB, of which a quarter is there from the start: as much as is on its way over a path of 20
/// Mbit/s and 50 ms when that dies.
class ReinjectionBudget {
 public:
  void sent_once(DataSize size) { left_ = std::min(left_ + scale(size, kShare), kMost); }
  /// True: it is spent.
  bool spend(DataSize size) {
    if (size > left_) return false;
    left_ -= size;
    return true;
  }
  DataSize left() const { return left_; }

 private:
  static constexpr double kShare = 0.05;
  static constexpr DataSize kMost{512'000};

  DataSize left_ = scale(kMost, 0.25);
};

}  // namespace tributary::bonding
