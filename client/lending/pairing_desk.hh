#pragma once

#include <optional>
#include <string>
#include <utility>

#include "units/session_clock.hh"

namespace tributary::lending {

/// The lender's code for pairing, and how often it may be tried: a code is good for one member, for five minutes and for
/// three wrong tries. After those there is a pause in which nobody is paired, which doubles until somebody is. A code
/// that is given out again during a pause waits for its end.
class PairingDesk {
 public:
  static constexpr Duration kValid = std::chrono::minutes{5};
  static constexpr int kTries = 3;
  static constexpr Duration kFirstPause = std::chrono::seconds{30}, kLongestPause = std::chrono::hours{1};

  void give_out(std::string code, TimePoint now);
  void withdraw() { code_.reset(); }

  /// The code that may be tried now. Nothing: none.
  std::optional<std::string> code(TimePoint now) const;
  /// Until when nobody is paired. Nothing: there is no pause.
  std::optional<TimePoint> paused_until(TimePoint now) const;
  /// To be called before a proof is looked at, with the code that the exchange began with. False: it is not to be looked at.
  bool try_begins(const std::string& code, TimePoint now);
  /// The member that tried is paired.
  void paired();

 private:
  std::optional<std::string> code_;
  TimePoint valid_until_{}, pause_until_{};
  int tries_ = 0;  // of this code
  Duration next_pause_ = kFirstPause;
};

}  // namespace tributary::lending
