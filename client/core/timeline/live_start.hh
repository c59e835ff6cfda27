#pragma once

#include "presentation/segments/segment_table.hh"
#include "units/session_clock.hh"

namespace tributary {

/// The segment with which playout begins, so that it is about `latency` behind the end of the table: of those that continue no
/// other one, the nearest. Nearer than half of `latency`, too little would be there to play when the links falter.
SegmentIndex live_start(const SegmentTable& table, Duration latency);

}  // namespace tributary
