#pragma once

#include <string>

#include "core/action_queue.hh"

namespace tributary {

struct SessionState;

/// Decides when a session is over. Of one that stays open, it tells when all is delivered.
class SessionEnd {
 public:
  /// Finishes the session if every segment is received, if no link is left, or if nothing came for too long.
  /// `last_failure`: of a request, as the end of a sentence.
  void look(const std::string& last_failure, SessionState& s);
  void finish(action::Finish how, ActionQueue& actions);
  /// After a seek, what is delivered is told again.
  void more_is_wanted() { phase_ = Phase::kReceiving; }
  bool reached() const { return phase_ == Phase::kFinished; }

 private:
  enum class Phase { kReceiving, kAllDelivered, kFinished };

  Phase phase_ = Phase::kReceiving;
};

}  // namespace tributary
