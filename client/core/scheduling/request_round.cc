#include "core/scheduling/request_round.hh"

#include "core/links/connection_renewal.hh"
#include "core/session_state.hh"

namespace tributary {

void RequestRound::ask(SessionState& s) {
  s.playout.look_for_wish_to_start(s.wants_bytes() && !s.links.empty(), s.now);
  const bool costs = s.spending.costs.any();
  if (costs) {
    s.spending.look_for_used_up_links(s);
    s.spending.look_for_free_links(s.links, s.now);
  }
  renew_connections(s);
  late_pieces_.look(s);
  needed_links_.decide(s);
  lanes_.decide(s);
  do {
    take_turns(s);
  } while (costs ? costed_.ask(s) : scheduler_.ask(s));
  if (costs) s.spending.look_for_used_up_links(s);
  size_questions_.ask(s);
  looks_again_ = Scheduler::may_become_late(s) || LatePieces::may_be_late(s) || NeededLinks::may_become_needed(s) ||
                 (costs && s.wants_bytes());
}

}  // namespace tributary
