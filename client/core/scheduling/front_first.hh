#pragma once

#include <span>

#include "core/requests/outstanding_requests.hh"
#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Decides which bytes a link brings of a file that somebody reads from its front while it comes
/// (StreamingMode::kDemanded). Bytes behind a range of a slow link have to wait for it, and the reader would measure the
/// rate of the slow link alone. So each link gets bytes so far back that they are there when the reader comes to them.
///
/// The number of bytes that the other links bring until `asking` has brought `size` more bytes. `asking` is one of
/// `links`. No bytes are left to links of which nothing is known: a reader would have to wait for them.
DataSize brought_by_others(LinkId asking, DataSize size, std::span<const LinkEstimate> links,
                           const OutstandingRequests& outstanding);

}  // namespace tributary
