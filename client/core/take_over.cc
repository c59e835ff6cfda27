#include "core/take_over.hh"

#include <algorithm>

namespace tributary {
namespace {

constexpr double kMargin = 1.25;  // forecasts are believed up to a quarter
constexpr double kSlower = 1.5;   // so much longer than expected is a change of the link, and no chance
// To be gained at least; more if the segment is late anyway, because when all links are late every byte counts.
constexpr Duration kWorthIt = std::chrono::milliseconds{200};
constexpr Duration kWorthItThoughLate = std::chrono::seconds{1};
constexpr DataSize kSmallest{10'000};  // less is not worth a request, unless it is all that is left

/// A range that was late from the beginning, because the plan is as it is, is not made better by more bytes.
bool late(const OutstandingRequest& request, Duration needs, std::optional<TimePoint> due, TimePoint now) {
  return (!due || now + from_seconds(kMargin * to_seconds(needs)) > *due) &&
         to_seconds(now - request.sent + needs) > kSlower * to_seconds(request.expected);
}

bool worth_it(Duration needs, Duration meanwhile, std::optional<TimePoint> due, TimePoint now) {
  return needs - meanwhile > (due && now + meanwhile > *due ? kWorthItThoughLate : kWorthIt);
}

bool asked_for(LinkId link, const OutstandingRequest& other, const OutstandingRequests& outstanding) {
  return std::ranges::any_of(outstanding.all(), [&](const OutstandingRequest& own) {
    return own.link == link && !own.abandoned && own.segment == other.segment && own.part == other.part &&
           !intersection(own.range, other.range).empty();
  });
}

/// The bytes that `self` should bring of what the other link is to bring by itself in `needs`, so that both end at once.
double fair_size(const LinkNow& other, Duration needs, const LinkNow& self, DataSize own) {
  const double rate = other.rate->bits_per_second() / 8;
  const double self_rate = self.rate->bits_per_second() / 8;
  const double first = to_seconds(self.silent) + static_cast<double>(own.bytes()) / self_rate;
  return (to_seconds(needs) - first) / (1 / rate + 1 / self_rate);
}

}  // namespace

std::optional<TakeOver> take_over(LinkId asking, std::span<const LinkNow> links,
                                  const OutstandingRequests& outstanding, SegmentIndex segment, std::optional<TimePoint> due,
                                  DataSize at_most, TimePoint now) {
  const auto self =
      std::find_if(links.begin(), links.end(), [&](const LinkNow& l) { return l.link == asking; });
  if (self == links.end() || !self->rate) return std::nullopt;
  const DataSize own = outstanding.bytes_left(asking);
  std::optional<TakeOver> best;
  Duration latest{};
  for (const LinkNow& other : links) {
    if (other.link == asking || !other.rate) continue;
    DataSize before;  // what the other link brings first
    for (const OutstandingRequest& request : outstanding.all()) {
      if (request.link != other.link) continue;
      const ByteRange alone = request.owed_alone();
      const Duration needs = other.silent + (before + alone.size()) / *other.rate;
      before += request.left().size();
      if (request.abandoned || request.segment != segment || alone.empty() || needs <= latest || !late(request, needs, due, now) ||
          asked_for(asking, request, outstanding)) {
        continue;
      }
      const DataSize fair{static_cast<std::int64_t>(fair_size(other, needs, *self, own))};
      const DataSize size = std::min({fair, alone.size(), at_most});
      const Duration meanwhile = self->silent + (own + size) / *self->rate;
      if (size < std::min(kSmallest, alone.size()) || !worth_it(needs, meanwhile, due, now)) continue;
      latest = needs;
      best =
          TakeOver{request.id, {alone.end - size, alone.end}, now + needs - due.value_or(now), needs - meanwhile};
    }
  }
  return best;
}

}  // namespace tributary
