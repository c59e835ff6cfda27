#pragma once

#include <algorithm>
#include <memory>

#include "units/session_clock.hh"

namespace tributary::transport {

/// Remembers how an origin answers: how long it lets a living connection wait, and how many requests a connection
/// bears. If the origin's system acknowledges but its program is silent, the origin is slow or has lost the request.
/// Copies share their knowledge, so that the experience of one link counts for all.
class OriginPace {
 public:
  /// In this order: an origin that cannot do one is asked by the next.
  enum class Asking { kPipelined, kOneByOne, kConnectionEach };

  /// The state of a silent connection.
  struct Silence {
    Duration lasts{};
    Duration suspicious{};       // the longest silence of a connection without a fault
    Asking asking{};             // when the connection was opened
    bool within_answer = false;  // an answer has begun, and has not ended
    bool has_answered = false;
  };

  Asking asking() const { return known_->asking; }

  /// Whether to wait on, because the origin may still be about to answer. Without experience: `suspicious`, if another
  /// way of asking may help; otherwise twice as long for a first byte, and three times for the rest of a body.
  bool may_last(const Silence& silence) const {
    const int times = silence.within_answer ? 3 : can_ask_otherwise(silence) ? 1 : 2;
    const Duration patience = std::max(times * silence.suspicious, 2 * known_->longest);
    return silence.lasts < std::max(patience, kInVain * known_->in_vain);
  }
  /// The origin went on after this silence.
  void went_on_after(Duration silence) {
    known_->longest = std::max(known_->longest, silence);
    known_->in_vain = {};
    if (silence > known_->blamed_after) known_->asking = Asking::kPipelined;  // slow, and not for the way of asking
  }
  /// The origin did not go on, and the connection was given up.
  void was_given_up(const Silence& silence) {
    if (!can_ask_otherwise(silence)) {
      known_->in_vain = std::max(known_->in_vain, silence.lasts);
    } else if (silence.asking == known_->asking) {
      ask_otherwise(silence.lasts);
    }
  }
  /// An answer belonged to a later request.
  void answered_out_of_order() {
    if (known_->asking == Asking::kPipelined) ask_otherwise(Duration::max());
  }

 private:
  // The next connection may be silent for this many times as long as the last: after the first one, a minute.
  static constexpr int kInVain = 8;

  static bool can_ask_otherwise(const Silence& silence) {
    return silence.has_answered && !silence.within_answer && silence.asking != Asking::kConnectionEach;
  }
  void ask_otherwise(Duration after) {
    known_->asking = known_->asking == Asking::kPipelined ? Asking::kOneByOne : Asking::kConnectionEach;
    known_->blamed_after = after;
  }

  struct Known {
    Asking asking = Asking::kPipelined;
    Duration longest{};       // the longest silence that ended with a byte
    Duration in_vain{};       // the last silence that did not
    Duration blamed_after{};  // the silence for which the way of asking was blamed
  };
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace tributary::transport
