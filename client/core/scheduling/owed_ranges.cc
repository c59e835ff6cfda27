#include "core/scheduling/owed_ranges.hh"

namespace tributary {

OwedRanges::OwedRanges(LinkId asking, std::span<const LinkNow> links, const OutstandingRequests& outstanding,
                       SegmentIndex segment)
    : links_{links}, outstanding_{outstanding} {
  for (const LinkNow& link : links) {
    if (link.link == asking) {
      asking_ = &link;
      continue;
    }
    DataSize before;
    for (const OutstandingRequest& request : outstanding.all()) {
      if (request.link != link.link) continue;
      const ByteRange alone = request.owed_alone();
      if (!request.abandoned && request.segment == segment && !alone.empty())
        ranges_.push_back({&link, &request, alone, before});
      before += request.left().size();
    }
  }
}

}  // namespace tributary
