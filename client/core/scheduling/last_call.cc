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

std::optional<LastCall> last_call(const LinkEstimate& asking, std::span<const LinkNow> links,
                                  const OutstandingRequests& outstanding, SegmentIndex segment, TimePoint due,
                                  TimePoint now) {
  std::optional<LastCall> last;
  DataSize owed;
  for (const LinkNow& other : links) {
    const auto rate = lowest_rate(other);
    if (other.link == asking.link || !rate) continue;
    DataSize up_to_here;  // bytes that the other link brings, up to the end of the request
    for (const OutstandingRequest& request : outstanding.all()) {
      if (request.link != other.link) continue;
      up_to_here += request.left().size();
      const ByteRange alone = request.owed_alone();
      if (request.abandoned || request.segment != segment || alone.empty() ||
          owes_some_of(asking.link, request, outstanding))
        continue;
      owed += alone.size();
      const Duration needs = *rate > DataRate{} ? std::min(other.silent + up_to_here / *rate, kNever) : kNever;
      if (!last || now + needs - due > last->late) last = LastCall{request.id, alone, now + needs - due};
    }
  }
  if (!last) return std::nullopt;
  const TimePoint from_here = now + asking.free_in + owed / *asking.throughput;
  if (from_here < due || from_here >= due + last->late) return std::nullopt;
  return last;
}

}  // namespace tributary
