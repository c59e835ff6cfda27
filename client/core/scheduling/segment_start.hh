#pragma once

#include <optional>

#include "core/qualities/quality_adaptation.hh"
#include "core/requests/segment_assembly.hh"
#include "core/subsegments/subsegment_planner.hh"
#include "units/data_rate.hh"

namespace tributary {

struct SessionState;

/// Starts the next segment in the quality that is chosen now. Live without buffering, earlier segments may be skipped.
/// `links`: those that may be asked.
void start_next_segment(const LinkEstimates& links, SessionState& s);

/// The segment to be received in this quality; its former state is dropped.
SegmentAssembly begin_segment(SegmentIndex segment, const QualityChoice& choice, std::optional<DataRate> throughput,
                              SessionState& s);

/// The segment, which is being received, is asked for anew in this quality. What came of it, or is on its way, is lost.
void begin_anew(SegmentAssembly& segment, const QualityChoice& choice, std::optional<DataRate> throughput,
                SessionState& s);
/// Segments that are being received, and count on init parts which now do not come, are asked for anew with them.
void bring_lost_init_parts(SessionState& s);

}  // namespace tributary
