#pragma once

namespace tributary {

struct SessionState;

/// If playout stands still since the last look, tells so, and why.
void tell_new_stall(SessionState& s);

}  // namespace tributary
