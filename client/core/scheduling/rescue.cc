#include "core/scheduling/rescue.hh"

#include <algorithm>
#include <boost/container/small_vector.hpp>

namespace tributary {
namespace {

constexpr double kNextToNothing = 0.1;
constexpr double kLittle = 0.5;                                   // if one of the two was never measured
constexpr double kTakesLonger = 1.25;                             // than it seems
constexpr Duration kUntilAsked = std::chrono::milliseconds{300};  // idle links look at owed ranges every 100 ms
constexpr Duration kSurely = std::chrono::seconds{1};
constexpr DataRate kUnknown = DataRate::bits_per_second(1e6);

/// How long the link takes for `size` bytes beside those that it owes. An unmeasured link comes after a measured one; a
/// link that has never answered has to be connected first.
Duration brings_in(DataSize size, const LinkNow& link, const OutstandingRequests& outstanding) {
  const bool has_answered = link.round_trip > Duration::zero();
  const Duration first_byte = link.rate      ? link.round_trip
                              : has_answered ? link.round_trip + kFirstAnswer / 2
                                             : kFirstAnswer;
  return link.silent + first_byte + (outstanding.bytes_left(link.link) + size) / link.rate.value_or(kUnknown);
}

/// `owed`: bytes of the other link up to the end of the request in question.
bool is_lost(const LinkNow& other, DataSize owed, const LinkNow& self, const OutstandingRequests& outstanding) {
  if (silent_too_long(other)) return true;
  if (!other.lately) return false;
  const Duration from_here = brings_in(owed, self, outstanding);
  return *other.lately * from_here < scale(owed, other.rate && self.rate ? kNextToNothing : kLittle);
}

/// Time to notice that the rescuing link is dead itself. A silence of half a second may be a loss: then less is kept.
Duration to_spare(const LinkNow& lost) {
  const bool may_be_loss = silent_too_long(lost) && lost.silent < kSurely;
  return may_be_loss ? kUntilAsked : kSurely;
}

}  // namespace

bool time_enough(std::span<const LinkNow> links, const OutstandingRequests& outstanding, TimePoint due, TimePoint now) {
  DataSize all;
  for (const OutstandingRequest& request : outstanding.all()) all += request.left().size();
  return std::ranges::all_of(links, [&](const LinkNow& link) {
    if (!link.rate) return false;
    const Duration takes = link.silent + link.round_trip + all / *link.rate;
    return now + from_seconds(kTakesLonger * to_seconds(takes)) + kSurely < due;
  });
}

std::optional<Rescue> rescue(const OwedRanges& owed, std::optional<TimePoint> due, TimePoint now) {
  const LinkNow* const self = owed.asking();
  if (self == nullptr || silent_too_long(*self)) return std::nullopt;
  std::optional<Rescue> first;
  DataSize lost;
  Duration spare{};
  boost::container::small_vector<const LinkNow*, 4> unsound{self};
  for (const OwedRange& range : owed) {
    const LinkNow& other = *range.link;
    if (!is_lost(other, range.up_to_end(), *self, owed.outstanding())) continue;
    const RequestId from = range.request->id;
    if (!first || from < first->from) first = Rescue{from, range.range, other.silent};
    lost += range.range.size();
    spare = std::max(spare, to_spare(other));
    unsound.push_back(&other);
  }
  if (!first) return std::nullopt;  // most often
  const Duration takes = brings_in(lost, *self, owed.outstanding());
  const auto is_sooner = [&](const LinkNow& link) {
    return link.usable && !silent_too_long(link) && std::ranges::find(unsound, &link) == unsound.end() &&
           brings_in(lost, link, owed.outstanding()) < takes;
  };
  if (std::ranges::any_of(owed.links(), is_sooner)) return std::nullopt;
  if (due && now + from_seconds(kTakesLonger * to_seconds(takes)) + spare < *due) return std::nullopt;
  return first;
}

}  // namespace tributary
