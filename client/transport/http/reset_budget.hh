#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/session_clock.hh"

namespace tributary::transport {

/// How many streams may be called off: servers take a client that resets many for an attack (CVE-2023-44487) and close its
/// connection; nghttp2's limit, for one, is 33 in a second.
class ResetBudget {
 public:
  static constexpr int kAtOnce = 20;
  static constexpr Duration kOneMore = std::chrono::milliseconds{500};

  /// Takes so many out of the budget, if they are there.
  bool take(int resets, TimePoint now) {
    const auto earned = (now - counted_) / kOneMore;
    if (left_ + earned >= kAtOnce) {
      left_ = kAtOnce;
      counted_ = now;
    } else {
      left_ += static_cast<int>(earned);
      counted_ += earned * kOneMore;
    }
    if (resets > left_) return false;
    left_ -= resets;
    return true;
  }

 private:
  int left_ = kAtOnce;
  TimePoint counted_{};
};

}  // namespace tributary::transport
