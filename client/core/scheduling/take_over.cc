#include "core/scheduling/take_over.hh"

#include <algorithm>

#include "core/subsegments/subsegment_planner.hh"
#include "units/whole_number.hh"

namespace tributary {
namespace {

constexpr double kSlower = 1.5;  // times the expected time: a change of the link, and no chance
// Least gain; more if the segment is late anyway, because when all links are late every byte counts. A range that costs
// less is taken over for a mere risk.
constexpr Duration kWorthIt = std::chrono::milliseconds{200};
constexpr Duration kWorthItThoughLate = std::chrono::milliseconds{500};
constexpr Duration kLeastGain = std::chrono::milliseconds{30};  // of a download
constexpr Duration kMostForALoss = std::chrono::milliseconds{500};
constexpr DataSize kFewPackets{6'000};

/// How much longer a link will be silent: as long again. After a silence of more than a few packets one was lost, and
/// the bytes behind it come a round trip later.
Duration more_silence(const LinkNow& link) {
  if (link.silent < kFewPackets / *link.rate) return link.silent;
  return std::max(link.silent, link.round_trip - link.silent);
}

std::optional<DataRate> known_rate(const LinkNow& link) {
  return link.rate || !link.remembered ? link.rate : std::optional{link.remembered->rate};
}

bool asked_for(LinkId link, const OutstandingRequest& other, const OutstandingRequests& outstanding) {
  return std::ranges::any_of(outstanding.all(), [&](const OutstandingRequest& own) {
    return own.link == link && !own.abandoned && own.segment == other.segment && own.part == other.part &&
           !intersection(own.range, other.range).empty();
  });
}

/// The bytes that `self` should bring, of those that take the other link `needs`, so that both end at once.
DataSize fair_size(const LinkNow& other, Duration needs, const LinkNow& self, DataSize own) {
  const double rate = other.rate->bits_per_second() / 8;
  const double self_rate = known_rate(self)->bits_per_second() / 8;
  const double first = to_seconds(self.silent) + static_cast<double>(own.bytes()) / self_rate;
  return DataSize{whole_number((to_seconds(needs) - first) / (1 / rate + 1 / self_rate))};
}

/// How long a range takes.
struct Forecast {
  Duration alone;     // if the other link brings it all
  Duration together;  // if the asking link brings its end
  Duration cost;      // of that, for these bytes
};

/// The range comes in time, even after a loss. Most do, and are not looked at further.
bool comes_in_time(const LinkNow& other, Duration needs, std::optional<TimePoint> due, TimePoint now) {
  return due && now + needs + std::min(other.round_trip, kMostForALoss) <= *due;
}

/// The end of a download comes sooner. A busy link brings further bytes behind its own, an idle one a round trip later.
bool ends_sooner(const LinkNow& self, DataSize own, const Forecast& takes) {
  const Duration first_byte = own == DataSize{} ? self.round_trip : Duration::zero();
  return takes.alone - takes.together > first_byte + kLeastGain;
}

bool worth_it(const OutstandingRequest& request, const LinkNow& other, const Forecast& takes,
              std::optional<TimePoint> due, bool ample, TimePoint now) {
  const Duration for_a_loss =
      ample && takes.cost <= kWorthIt ? std::min(other.round_trip, kMostForALoss) : Duration::zero();
  if (due && now + takes.alone + for_a_loss <= *due) return false;
  const bool in_time = due && now + takes.together <= *due;
  // A range that was late from the beginning, because the plan is as it is, is not made better by more late bytes.
  const bool slower = to_seconds(now - request.sent + takes.alone) > kSlower * to_seconds(request.expected);
  if (!slower && !(in_time && ample)) return false;
  return takes.alone - takes.together > (due && !in_time ? kWorthItThoughLate : kWorthIt);
}

}  // namespace

std::optional<TakeOver> take_over(const OwedRanges& owed, std::optional<TimePoint> due, DuplicatesLeft duplicates,
                                  TimePoint now, bool only_the_end) {
  const LinkNow* const self = owed.asking();
  if (self == nullptr || !known_rate(*self)) return std::nullopt;
  const DataSize own = owed.outstanding().bytes_left(self->link);
  std::optional<TakeOver> best;
  Duration latest{};
  for (const OwedRange& range : owed) {
    const LinkNow& other = *range.link;
    if (!other.rate) continue;
    const Duration needs = more_silence(other) + (range.before + range.range.size()) / *other.rate;
    if (needs <= latest || comes_in_time(other, needs, due, now)) continue;
    const DataSize size = std::min({fair_size(other, needs, *self, own), range.range.size(), duplicates.size});
    if (size < std::min(kLeastRequest, range.range.size())) continue;
    const Forecast takes{needs, self->silent + (own + size) / *known_rate(*self), size / *known_rate(*self)};
    const bool worth = only_the_end && !due ? ends_sooner(*self, own, takes)
                                            : worth_it(*range.request, other, takes, due, duplicates.ample, now);
    if (!worth || asked_for(self->link, *range.request, owed.outstanding())) continue;
    latest = needs;
    best = TakeOver{range.request->id,
                    {range.range.end - size, range.range.end},
                    now + needs - due.value_or(now),
                    takes.alone - takes.together};
  }
  return best;
}

}  // namespace tributary
