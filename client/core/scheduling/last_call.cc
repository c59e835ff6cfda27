#include "core/scheduling/last_call.hh"

#include <algorithm>

namespace tributary {
namespace {

constexpr Duration kNever = std::chrono::hours{1};

/// A link that slows down seems faster than it is until its average has followed.
std::optional<DataRate> lowest_rate(const LinkNow& link) {
  if (!link.rate || !link.lately) return link.rate ? link.rate : link.lately;
  return std::min(*link.rate, *link.lately);
}

bool owes_some_of(LinkId link, const OutstandingRequest& other, const OutstandingRequests& outstanding) {
  return std::ranges::any_of(outstanding.all(), [&](const OutstandingRequest& own) {
    return own.link == link && !own.abandoned && own.segment == other.segment && own.part == other.part &&
           !intersection(own.left(), other.owed_alone()).empty();
  });
}

}  // namespace

std::optional<LastCall> last_call(const LinkEstimate& asking, const OwedRanges& owed, TimePoint due, TimePoint now) {
  std::optional<LastCall> last;
  DataSize all;
  for (const OwedRange& range : owed) {
    const auto rate = lowest_rate(*range.link);
    if (!rate || owes_some_of(asking.link, *range.request, owed.outstanding())) continue;
    all += range.range.size();
    const Duration needs =
        *rate > DataRate{} ? std::min(range.link->silent + range.up_to_end() / *rate, kNever) : kNever;
    if (!last || now + needs - due > last->late) last = LastCall{range.request->id, range.range, now + needs - due};
  }
  if (!last) return std::nullopt;
  const TimePoint from_here = now + asking.free_in + all / *asking.throughput;
  if (from_here < due || from_here >= due + last->late) return std::nullopt;
  return last;
}

}  // namespace tributary
