#pragma once

namespace tributary {

struct SessionState;

/// Gives up the connections of links that have brought next to nothing of their answers for long (vain_wait.hh). A link
/// without a byte of its answer is left to its connection, which knows for how long an origin may be silent.
void renew_connections(SessionState& s);

}  // namespace tributary
