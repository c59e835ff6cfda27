#include "gst/player/title_state.hh"

#include <utility>

namespace tributary {

void TitleState::shown() {
  if (phase_ == Phase::kBuilt) phase_ = Phase::kShowing;
  repair_ = Repair::kNone;
}

void TitleState::seeking() {
  if (phase_ == Phase::kEnded) phase_ = Phase::kShowing;
}

bool TitleState::source_ran_into_replaced() {
  if (repair_ != Repair::kReplaced) return false;
  repair_ = Repair::kSourceFailed;
  return true;
}

PlayerState TitleState::for_listener(bool wants_to_play) const {
  switch (phase_) {
    case Phase::kOpening:
    case Phase::kBuilt:
      return PlayerState::kOpening;
    case Phase::kEnded:
      return PlayerState::kEnded;
    case Phase::kFailed:
      return PlayerState::kFailed;
    case Phase::kShowing:
      break;
  }
  if (!wants_to_play) return PlayerState::kPaused;
  return buffering_ ? PlayerState::kBuffering : PlayerState::kPlaying;
}

TitleState::Changes TitleState::take_changes(bool wants_to_play) {
  Changes changes;
  const PlayerState now = for_listener(wants_to_play);
  const bool plays = now == PlayerState::kPlaying && repair_ == Repair::kNone;
  if (std::exchange(playing_, plays) != plays && !has_failed()) changes.playing = plays;
  if (std::exchange(told_, now) != now) changes.state = now;
  return changes;
}

}  // namespace tributary
