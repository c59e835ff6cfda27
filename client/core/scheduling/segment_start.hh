#pragma once

#include <optional>

#include "core/quality_adaptation.hh"
#include "core/segment_assembly.hh"
#include "core/subsegment_planner.hh"
#include "units/data_rate.hh"

namespace tributary {

struct SessionState;

/// From now on the next segment is received, in the quality that is chosen now. Live without buffering, that may be a
/// later one. `links`: those that may be asked.
void start_next_segment(const LinkEstimates& links, SessionState& s);

/// The segment as it is to be received in this quality; what it was before, if anything, is forgotten.
SegmentAssembly begin_segment(SegmentIndex segment, const QualityChoice& choice, std::optional<DataRate> throughput,
                              SessionState& s);

}  // namespace tributary
