#pragma once

#include <optional>

#include "units/session_clock.hh"

namespace tributary::bonding {

/// Decides whether a path is alive, and when to ask it. A path that owes an answer for longer than a time-out is asked again.
/// After a second time-out it is silent: it gets no more packets, only questions, each after twice the time of the one
/// before. One answer makes it alive again. A path without news is asked now and then, which keeps the mapping of a
/// NAT: many drop those of UDP after 30 s.
class PathLiveness {
 public:
  enum class State { kUnproven, kAlive, kSilent };

  explicit PathLiveness(Duration keep_alive) : keep_alive_{keep_alive} {}

  State state() const { return state_; }

  /// An answer of the peer to what went over this path. True: the path was not alive before.
  bool heard(TimePoint now);
  /// Something that asks for an answer was sent, which should be there after `time_out`.
  void asked(Duration time_out, TimePoint now);
  /// The system says that the link is gone. True: it was alive.
  bool link_is_down(TimePoint now);

  TimePoint next_deadline() const;
  struct Due {
    bool fell_silent = false;
    bool question = false;  // is to be sent
  };
  Due wake(TimePoint now);

 private:
  static constexpr Duration kFirstGap = std::chrono::milliseconds{250};

  Due answer_is_late(TimePoint now);

  Duration keep_alive_;
  State state_ = State::kUnproven;
  std::optional<TimePoint> answer_by_;  // while it is alive
  bool asked_again_ = false;
  Duration time_out_{};
  TimePoint next_question_ = TimePoint::min();
  Duration gap_ = kFirstGap;
};

}  // namespace tributary::bonding
