#pragma once

namespace tributary {

struct SessionState;

/// Hands complete segments to the sink and to playout, in order. A download delivers in any order: one slow link must
/// not close the window for the others.
void deliver_complete_segments(SessionState& s);

}  // namespace tributary
