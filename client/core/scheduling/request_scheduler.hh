#pragma once

#include <algorithm>
#include <cstdint>

#include "core/links/link_ids.hh"
#include "core/requests/outstanding_requests.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Decides which links may be asked for more now, and which first (thesis Algorithm 1). An idle link takes `depth`
/// requests at once. After that it takes the next one when the answer to its oldest begins, never more than `depth` in
/// all. Links with fewer outstanding requests come first, ties by LinkId. That interleaves the start (thesis figure
/// 4.6): neighbouring subsegments go over different links.
class RequestScheduler {
 public:
  explicit RequestScheduler(std::uint32_t depth) : depth_{depth} {}

  /// `usable`: the ids of the links that can be used, as any range.
  template <typename Links>
  LinkIds links_to_ask(Links&& usable, const OutstandingRequests& outstanding) const {
    LinkIds result;
    for (const LinkId link : usable) {
      if (may_ask(link, outstanding)) result.push_back(link);
    }
    std::sort(result.begin(), result.end(), [&](LinkId a, LinkId b) {
      const std::uint32_t owed_a = outstanding.count(a);
      const std::uint32_t owed_b = outstanding.count(b);
      return owed_a != owed_b ? owed_a < owed_b : a < b;
    });
    return result;
  }

  bool may_ask(LinkId link, const OutstandingRequests& outstanding) const {
    if (outstanding.count(link) >= depth_) return false;
    const OutstandingRequest* head = outstanding.head(link);
    return head == nullptr || head->began || outstanding.sent_since_idle(link) < depth_;
  }

 private:
  std::uint32_t depth_;
};

}  // namespace tributary
