#pragma once

#include <deque>
#include <string>

#include "core/link_table.hh"
#include "core/outstanding_requests.hh"
#include "core/segment_assembly.hh"

namespace tributary {

/// What the oldest incomplete segment waits for, as the end of a sentence; empty if there is none.
std::string why_late(const std::deque<SegmentAssembly>& assembling, const OutstandingRequests& outstanding,
                     const LinkTable& links, TimePoint now);

}  // namespace tributary
