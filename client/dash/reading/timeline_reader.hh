#pragma once

#include "dash/addressing.hh"
#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// Reads a SegmentTimeline (ISO/IEC 23009-1 clause 5.3.9.6). A repetition up to the next S is counted, and a segment
/// that reaches over the next S ends there. Durations that recur may stand in a Pattern, which an S refers to. Throws
/// MpdError for times that descend and for more than kMostSegments.
Timeline read_timeline(const XmlElement& element);

}  // namespace tributary::dash
