#include "core/session_end.hh"

#include <fmt/format.h>

#include <utility>

#include "core/scheduling/why_late.hh"
#include "core/session_state.hh"

namespace tributary {

void SessionEnd::look(const std::string& last_failure, SessionState& s) {
  if (s.nothing_more_comes()) {
    if (s.options.stays_open) {
      if (phase_ != Phase::kAllDelivered) s.actions.push(action::AllDelivered{});
      phase_ = Phase::kAllDelivered;
      return;
    }
    s.playout.play_out(s.actions);
    const std::size_t missing = s.missing.given_up();
    finish({true, missing == 0
                      ? "every segment was received"
                      : fmt::format("every segment was received but {}, which the origin does not have", missing)},
           s.actions);
  } else if (!s.options.stays_open && s.spending.nothing_left(s.now)) {
    finish({false, "no link is left" + s.spending.used_up_links(s), true}, s.actions);
  } else if (s.wants_bytes() && s.now >= s.wait.since() + s.options.give_up_after) {
    const std::string came =
        s.wait.came() == DataSize{} ? "no byte" : fmt::format("next to nothing ({} bytes)", s.wait.came().bytes());
    finish({false, fmt::format("{} came for {:.0f} s{}{}{}", came, to_seconds(s.options.give_up_after), why_late(s),
                               last_failure, s.spending.used_up_links(s))},
           s.actions);
  }
}

void SessionEnd::finish(action::Finish how, ActionQueue& actions) {
  phase_ = Phase::kFinished;
  actions.push(std::move(how));
}

}  // namespace tributary
