#pragma once

#include <span>

#include "core/requests/outstanding_requests.hh"
#include "core/requests/segment_assembly.hh"
#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

// Decides which bytes a link brings of a file that somebody reads from its front while it comes
// (StreamingMode::kDemanded). Bytes behind a range of a slow link have to wait for it, and the reader would measure the
// rate of the slow link alone. So each link gets bytes so far back that they are there when the reader comes to them.
// `asking` is one of `links`.

/// The most bytes of the next range over a link. None: the link is not measured, and owes enough to be measured by.
DataSize largest_read_range(LinkId asking, std::span<const LinkEstimate> links, const OutstandingRequests& outstanding);

/// About the number of new bytes of the segment in front of the next range of a link, of `size` bytes: those that the other
/// links bring until the range is there. All of them for the second range of a link that is not measured: a reader comes to
/// the end last, and links that are done take it over. The segment has new bytes.
DataSize bytes_in_front(LinkId asking, DataSize size, const SegmentAssembly& segment,
                        std::span<const LinkEstimate> links, const OutstandingRequests& outstanding);

}  // namespace tributary
