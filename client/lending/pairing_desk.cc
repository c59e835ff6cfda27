#include "lending/pairing_desk.hh"

#include <algorithm>

namespace tributary::lending {

void PairingDesk::give_out(std::string code, TimePoint now) {
  code_ = std::move(code);
  valid_until_ = std::max(now, pause_until_) + kValid;
  tries_ = 0;
}

std::optional<std::string> PairingDesk::code(TimePoint now) const {
  if (paused_until(now) || now >= valid_until_) return std::nullopt;
  return code_;
}

std::optional<TimePoint> PairingDesk::paused_until(TimePoint now) const {
  return now < pause_until_ ? std::optional{pause_until_} : std::nullopt;
}

bool PairingDesk::try_begins(const std::string& code, TimePoint now) {
  if (this->code(now) != code) return false;
  if (++tries_ < kTries) return true;
  // The last one may still be right; the pause is in force for all others meanwhile.
  pause_until_ = now + next_pause_;
  next_pause_ = std::min(2 * next_pause_, kLongestPause);
  code_.reset();
  return true;
}

void PairingDesk::paired() {
  code_.reset();
  pause_until_ = {};
  next_pause_ = kFirstPause;
}

}  // namespace tributary::lending
