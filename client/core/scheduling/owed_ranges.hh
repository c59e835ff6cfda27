#pragma once

#include <boost/container/small_vector.hpp>
#include <span>

#include "core/links/link_now.hh"
#include "core/requests/outstanding_requests.hh"
#include "units/byte_range.hh"
#include "units/identifiers.hh"

namespace tributary {

/// A range that a link owes, and no other link was asked for.
struct OwedRange {
  const LinkNow* link;
  const OutstandingRequest* request;
  ByteRange range;
  DataSize before;  // bytes that the link brings first

  /// Bytes that the link brings up to the end of the request.
  DataSize up_to_end() const { return before + request->left().size(); }
};

/// All ranges of a segment that links owe other than the asking one: what rescue(), take_over() and last_call() choose
/// from. They stand by link, and then in the order in which they come. Links and requests must outlive it.
class OwedRanges {
 public:
  /// `asking`: the link that would be asked for one of them; one of `links`.
  OwedRanges(LinkId asking, std::span<const LinkNow> links, const OutstandingRequests& outstanding,
             SegmentIndex segment);

  auto begin() const { return ranges_.begin(); }
  auto end() const { return ranges_.end(); }
  bool empty() const { return ranges_.empty(); }
  /// The asking link; null if it is none of the links.
  const LinkNow* asking() const { return asking_; }
  std::span<const LinkNow> links() const { return links_; }
  const OutstandingRequests& outstanding() const { return outstanding_; }

 private:
  const LinkNow* asking_ = nullptr;
  std::span<const LinkNow> links_;
  const OutstandingRequests& outstanding_;
  boost::container::small_vector<OwedRange, 16> ranges_;
};

}  // namespace tributary
