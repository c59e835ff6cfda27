#include "core/links/connection_renewal.hh"

#include <fmt/format.h>

#include "core/session_state.hh"

namespace tributary {

void renew_connections(SessionState& s) {
  const OutstandingRequests& outstanding = s.book.outstanding();
  if (outstanding.empty() || !s.wants_bytes() || s.now < s.wait.renewal()) return;
  s.wait.renewed(s.now);
  for (const auto& [id, link] : s.links.all()) {
    const OutstandingRequest* head = outstanding.head(id);
    if (head == nullptr || head->received == DataSize{}) continue;
    const double seconds = to_seconds(VainWait::kRenewAfter);
    abandon(id, fmt::format("next to nothing came for {:.0f} s", seconds), s.actions);
  }
}

}  // namespace tributary
