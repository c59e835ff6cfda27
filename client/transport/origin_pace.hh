#pragma once

#include <algorithm>
#include <memory>

#include "units/session_clock.hh"

namespace tributary::transport {

/// Remembers how an origin answers: how long it lets a connection wait whose other end lives, and how many requests it bears on one.
/// Its system acknowledges and its program is silent: then it is slow, or it has lost the request. Copies share what they know, so
/// that what one link finds out counts for all.
class OriginPace {
 public:
  /// Each one is what is left when an origin cannot do the one before.
  enum class Asking { kPipelined, kOneByOne, kConnectionEach };

  /// Where a connection stands that is silent.
  struct Silence {
    Duration lasts{};
    Duration suspicious{};       // for so long no connection was silent without a reason
    Asking asking{};             // by which it was opened
    bool within_answer = false;  // an answer has begun and not ended
    bool has_answered = false;
  };

  Asking asking() const { return known_->asking; }

  /// The origin may still be about to go on. Without experience: where another way of asking may be better, the time that is suspicious;
  /// twice as long for a first byte, and three times for the rest of a body.
  bool may_last(const Silence& silence) const {
    const int times = silence.within_answer ? 3 : can_ask_otherwise(silence) ? 1 : 2;
    const Duration patience = std::max(times * silence.suspicious, 2 * known_->longest);
    return silence.lasts < std::max(patience, kInVain * known_->in_vain);
  }
  /// It did.
  void went_on_after(Duration silence) {
    known_->longest = std::max(known_->longest, silence);
    known_->in_vain = {};
    if (silence > known_->blamed_after) known_->asking = Asking::kPipelined;  // it was slow, whatever it was asked
  }
  /// It did not: the connection was given up.
  void was_given_up(const Silence& silence) {
    if (!can_ask_otherwise(silence)) {
      known_->in_vain = std::max(known_->in_vain, silence.lasts);
    } else if (silence.asking == known_->asking) {
      ask_otherwise(silence.lasts);
    }
  }
  /// An answer came that belongs to a later request.
  void answered_out_of_order() {
    if (known_->asking == Asking::kPipelined) ask_otherwise(Duration::max());
  }

 private:
  // The next connection is given so many times as long as the last: with the first one, a minute.
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
    Duration longest{};       // silence that ended with a byte
    Duration in_vain{};       // the last one that did not
    Duration blamed_after{};  // the silence that the way of asking was blamed for
  };
  std::shared_ptr<Known> known_ = std::make_shared<Known>();
};

}  // namespace tributary::transport
