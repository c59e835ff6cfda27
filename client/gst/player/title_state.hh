#pragma once

#include <optional>

#include "gst/player/player_state.hh"

namespace tributary {

/// How far a title has come, and what follows from it: whether its pipeline plays, and which state the listener is told.
/// Is told what happened; knows neither the pipeline nor the listener.
class TitleState {
 public:
  /// The branches of the pipeline were made.
  void built() { phase_ = Phase::kBuilt; }
  /// The first frame is there, of the title or behind a seek.
  void shown();
  void seeking();
  void ended() { phase_ = Phase::kEnded; }
  /// Nothing may be told after it.
  void failed() { phase_ = Phase::kFailed; }
  void buffered(int percent) { buffering_ = percent < 100; }
  /// An element failed, and was replaced. Until shown(), nothing plays.
  void replaced() { repair_ = Repair::kReplaced; }
  /// The source failed. True: it ran into the element that was replaced, which happens once for each.
  bool source_ran_into_replaced();

  bool can_seek() const { return phase_ != Phase::kOpening && phase_ != Phase::kFailed; }
  bool has_shown() const { return phase_ == Phase::kShowing || phase_ == Phase::kEnded; }
  bool has_ended() const { return phase_ == Phase::kEnded; }
  bool has_failed() const { return phase_ == Phase::kFailed; }
  PlayerState for_listener(bool wants_to_play) const;

  /// What is other than at the last call.
  struct Changes {
    std::optional<bool> playing;  // of the pipeline; nothing once the title has failed
    std::optional<PlayerState> state;
  };
  Changes take_changes(bool wants_to_play);
  /// Whether the pipeline plays, as take_changes() told it.
  bool playing() const { return playing_; }
  void was_paused() { playing_ = false; }

 private:
  enum class Phase { kOpening, kBuilt, kShowing, kEnded, kFailed };
  enum class Repair { kNone, kReplaced, kSourceFailed };

  Phase phase_ = Phase::kOpening;
  Repair repair_ = Repair::kNone;
  bool buffering_ = true;
  bool playing_ = false;
  PlayerState told_ = PlayerState::kClosed;
};

}  // namespace tributary
