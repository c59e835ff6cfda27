#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "units/session_clock.hh"

namespace tributary {

/// Knows for how long the origin lets each answer on a link stand still, before its first byte or within. Two answers
/// in a row must agree: the link of one alone may have been away for a moment. The delay is longer than round trips and
/// lost packets.
class AnswerDelay {
 public:
  /// Bytes came after this silence.
  void waited(Duration silence) { longest_ = std::max(longest_, silence); }
  void answer_ended() {
    before_last_ = last_;
    last_ = std::exchange(longest_, {});
  }
  /// 0 if answers come without standing still. Each request costs this time, whatever its size.
  Duration value() const {
    const Duration both = std::min(last_, before_last_);
    return both >= kLeast ? both : Duration{};
  }

 private:
  static constexpr Duration kLeast = std::chrono::milliseconds{750};
  Duration longest_{};  // of the answer that is coming
  Duration last_{}, before_last_{};
};

}  // namespace tributary
