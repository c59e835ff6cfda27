#include "proxy/titles/offered_rate.hh"

#include <algorithm>

namespace tributary::proxy {

std::optional<DataRate> offered_rate(const StreamStatus& status, std::optional<DataRate> spent_for) {
  DataRate of_free, of_all;
  bool spends = false;
  for (const LinkStatus& link : status.links) {
    using enum LinkActivity;
    // A moment in which a link has yet to answer makes no difference.
    if (link.activity == kUsedUp || link.activity == kOff || link.activity == kDown || link.activity == kAvoided)
      continue;
    spends = spends || link.cost.kind == CostKind::kMetered || link.cost.kind == CostKind::kPaid;
    const DataRate rate = link.rate_when_busy.value_or(DataRate{});
    of_all += rate;
    if (!link.cost.spared()) of_free += rate;
  }
  const DataRate offered = of_free > DataRate{} ? of_free : of_all;
  if (offered <= DataRate{}) return status.throughput;
  // Players choose what needs four fifths of what they have, or so.
  return spends && spent_for ? std::max(offered, 1.25 * *spent_for) : offered;
}

}  // namespace tributary::proxy
