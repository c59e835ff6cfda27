#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/session_clock.hh"

namespace tributary::transport {

/// How many streams may be called off. Servers take many resets for an attack (CVE-2023-44487) and close the
/// connection; nghttp2's limit, for one, is 33 in a second.
class ResetBudget {
 public:
  static constexpr int kAtOnce = 20;
  static constexpr Duration kOneMore = std::chrono::milliseconds{500};

  /// Takes `resets` out of the budget. False, without any change, if too few are left.
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
