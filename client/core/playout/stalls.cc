#include "core/playout/stalls.hh"

#include "core/scheduling/why_late.hh"
#include "core/session_state.hh"

namespace tributary {

void tell_new_stall(SessionState& s) {
  if (!s.playout.has_new_stall(s.now) || s.nothing_more_comes()) return;
  s.playout.tell_stall(s.book.segments().empty() ? "the next segment is not published yet"
                                                 : "late" + why_late(s) + s.spending.used_up_links(s),
                       s.actions);
}

}  // namespace tributary
