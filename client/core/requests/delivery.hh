#pragma once

namespace tributary {

struct SessionState;

/// Hands complete segments to the sink and to playout, in order. A download delivers in any order, so that one slow
/// link does not close the window for the others, unless its options ask for segments in order.
void deliver_complete_segments(SessionState& s);

}  // namespace tributary
