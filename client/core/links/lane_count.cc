#include "core/links/lane_count.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kAtFirst = 2;   // as long as it is not sure that the queue is empty
constexpr double kAsGood = 0.85;        // of what all brought: the rest is what rates change by from moment to moment
constexpr double kProportional = 0.75;  // of what one brings, times their number
constexpr Duration kConnects = 2s, kSureOfAnEmptyQueue = 2s, kStandsForLong = 2s;

/// Some connections of all bring at least this part, if somebody else fills the link: with one connection of his, they have
/// shares of equal size. Where each is held down, they bring their part. It lies halfway.
double enough(std::uint32_t some, std::uint32_t all) {
  const double part = static_cast<double>(some) / all;
  const double shared = part * (all + 1) / (some + 1);
  return (part + shared) / 2;
}

Duration window(const LaneCount::Situation& now) { return SteadyRate::window(now.least); }

}  // namespace

/// Those that rest go on to do so.
LaneCount::Decision LaneCount::as_it_is(const Situation& now) const {
  return {now.lanes, {}, phase_ == Phase::kHalved || phase_ == Phase::kMeasuringHalf};
}

LaneCount::Decision LaneCount::decide(const Situation& now) {
  if (!now.busy || !was_busy_) {
    was_busy_ = now.busy;
    queue_ = {};
    if (phase_ != Phase::kOpening) begin(phase_, now);  // how long connecting takes does not depend on what is wanted
    return as_it_is(now);
  }
  queue_.sample(now.round_trip, now.least, now.measured, now.carried, now.now);
  const Duration since = now.now - begin_;
  const Duration settles = 4 * window(now), is_measured = 3 * window(now), half_is_measured = 2 * window(now);
  switch (phase_) {
    case Phase::kWatching:
      return watch(now);
    case Phase::kOpening:
      if (now.all_answer) begin(Phase::kSettling, now);
      if (!now.all_answer && since > kConnects + 4 * now.least) return measure(now);
      break;
    case Phase::kSettling:
      if (since >= settles || steady_rate(now)) begin(Phase::kMeasuring, now);
      break;
    case Phase::kHalved:
      if (since >= window(now) && now.all_rest) begin(Phase::kMeasuringHalf, now);
      break;
    case Phase::kMeasuring:
      if (since >= is_measured || (since >= window(now) && (rate_before_ == DataRate{} || each_brings_its_part(now))))
        return measure(now);
      break;
    case Phase::kMeasuringHalf:
      if (since >= half_is_measured) return measure_half(now);
      break;
  }
  return as_it_is(now);
}

LaneCount::Decision LaneCount::watch(const Situation& now) {
  if (now.lanes > 1 && now.now >= keeps_until_ && queue_.stands_for(kStandsForLong, now.now))
    return halve(now, queue_.rate_since_it_stands(now.carried, now.now), "the link is full");
  const auto rate = steady_rate(now);
  if (was_full_ && is_empty(now)) rests_until_ = now.now;
  if (!rate || !has_room(now) || now.lanes >= now.most || now.now < rests_until_) return {now.lanes, {}};
  return try_more(now, now.lanes, is_empty(now) ? now.most : kAtFirst, *rate,
                  fmt::format("{} kbit/s do not fill the link", std::llround(rate->kilobits_per_second())));
}

LaneCount::Decision LaneCount::try_more(const Situation& now, std::uint32_t before, std::uint32_t lanes, DataRate rate,
                                        std::string why) {
  lanes_before_ = before;
  rate_before_ = rate;
  begin(Phase::kOpening, now);
  return {lanes, std::move(why)};
}

std::optional<DataRate> LaneCount::steady_rate(const Situation& now) {
  steady_.sample(now.carried, window(now), now.now);
  return steady_.rate(now.carried, window(now), now.now);
}

DataRate LaneCount::rate(const Situation& now) const { return (now.carried - carried_) / (now.now - begin_); }

double LaneCount::relative_rate(const Situation& now) const {
  return rate_before_ > DataRate{} ? rate(now) / rate_before_ : 1;
}

bool LaneCount::each_brings_its_part(const Situation& now) const {
  return relative_rate(now) * lanes_before_ >= kProportional * now.lanes;
}

bool LaneCount::has_room(const Situation& now) const {
  if (now.watched) return queue_.is_surely_empty_for(kSureOfAnEmptyQueue, now.now);
  return now.lanes > 1 ? is_empty(now) : queue_.has_room_for(2 * window(now), now.now);
}

bool LaneCount::is_empty(const Situation& now) const { return queue_.is_empty_for(window(now), now.now); }

bool LaneCount::is_full(const Situation& now) const { return queue_.stands_for(window(now), now.now); }

/// Or as many as may be; nothing if that is no more, or if the link has no room.
std::optional<std::uint32_t> LaneCount::twice(std::uint32_t lanes, const Situation& now) const {
  if (lanes >= now.most || !queue_.has_room_for(window(now), now.now)) return std::nullopt;
  return is_empty(now) ? now.most : std::min(2 * lanes, now.most);
}

LaneCount::Decision LaneCount::measure(const Situation& now) {
  const std::string why = rate_before_ == DataRate{} ? "one connection lost packets"
                                                     : fmt::format("{} connections brought {:.2f} times as much as {}",
                                                                   now.lanes, relative_rate(now), lanes_before_);
  const DataRate rate = this->rate(now);
  if (each_brings_its_part(now)) {
    if (now.lanes < now.most && is_empty(now)) return try_more(now, now.lanes, now.most, rate, why);
    return stay(now, now.lanes, now.lanes < now.most ? 2 * window(now) : kLongestRest, why);
  }
  return now.lanes > 1 ? halve(now, rate, why) : stay(now, 1, rest_, why);
}

LaneCount::Decision LaneCount::halve(const Situation& now, DataRate rate, std::string why) {
  lanes_in_all_ = now.lanes;
  rate_before_ = rate;
  begin(Phase::kHalved, now);
  return {(now.lanes + 1) / 2, std::move(why), true};
}

LaneCount::Decision LaneCount::measure_half(const Situation& now) {
  const double part = relative_rate(now);
  std::string why = fmt::format("{} of {} connections brought {:.2f} of it all", now.lanes, lanes_in_all_, part);
  const double shared = enough(now.lanes, lanes_in_all_);
  if (part < (is_full(now) ? shared : std::max(shared, kAsGood))) {
    if (const auto more = twice(lanes_in_all_, now))
      return try_more(now, lanes_in_all_, *more, rate_before_, std::move(why));
    keeps_until_ = now.now + kFirstRest;
    return stay(now, lanes_in_all_, kLongestRest, std::move(why));
  }
  return now.lanes > 1 ? halve(now, rate(now), std::move(why)) : stay(now, 1, rest_, std::move(why));
}

/// Each time that one was enough, the next trial is later.
LaneCount::Decision LaneCount::stay(const Situation& now, std::uint32_t lanes, Duration length, std::string why) {
  rest(now.now, length);
  was_full_ = is_full(now);
  queue_ = {};  // what was seen was of another number
  rest_ = lanes == 1 ? std::min(2 * rest_, kLongestRest) : kFirstRest;
  begin(Phase::kWatching, now);
  return {lanes, std::move(why)};
}

void LaneCount::begin(Phase phase, const Situation& now) {
  steady_ = {};
  phase_ = phase;
  begin_ = now.now;
  carried_ = now.carried;
}

void LaneCount::rest(TimePoint now, Duration length) { rests_until_ = std::max(rests_until_, now + length); }

}  // namespace tributary
