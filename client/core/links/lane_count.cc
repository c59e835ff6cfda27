#include "core/links/lane_count.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr double kProportional = 0.75;  // of what one brings, times their number
constexpr Duration kConnects = 2s;
constexpr Duration kFullForLong = 2s, kBetweenCloses = 1s;

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
    steady_ = {};
    full_since_.reset();
    if (phase_ != Phase::kOpening) begin(phase_, now);  // how long connecting takes does not depend on what is wanted
    return as_it_is(now);
  }
  const Duration since = now.now - begin_;
  const Duration settles = 2 * window(now), is_measured = 3 * window(now);
  switch (phase_) {
    case Phase::kWatching:
      return watch(now);
    case Phase::kOpening:
      if (now.all_answer) begin(Phase::kSettling, now);
      if (!now.all_answer && since > kConnects + 4 * now.least) return measure(now);
      break;
    case Phase::kSettling:
      if (since >= settles) begin(Phase::kMeasuring, now);
      break;
    case Phase::kHalved:
      if (since >= settles) begin(Phase::kMeasuringHalf, now);
      break;
    case Phase::kMeasuring:
      if (since >= is_measured) return measure(now);
      break;
    case Phase::kMeasuringHalf:
      if (since >= is_measured) return measure_half(now);
      break;
  }
  return as_it_is(now);
}

LaneCount::Decision LaneCount::watch(const Situation& now) {
  const bool is_full = SteadyRate::is_full(now.round_trip, now.least);
  if (!is_full)
    full_since_.reset();
  else if (!full_since_)
    full_since_ = now.now;
  if (now.lanes > 1 && full_since_ && now.now - *full_since_ >= kFullForLong) {
    full_since_ = now.now - (kFullForLong - kBetweenCloses);
    rest(now.now, kFirstRest);
    return {now.lanes - 1, "the link is full"};
  }
  steady_.sample(now.carried, window(now), now.now);
  const auto rate = steady_.rate(now.carried, window(now), now.now);
  if (!rate || is_full || now.lanes >= now.most || now.now < rests_until_) return {now.lanes, {}};
  return try_more(now, *rate);
}

LaneCount::Decision LaneCount::try_more(const Situation& now, DataRate rate) {
  lanes_before_ = now.lanes;
  rate_before_ = rate;
  begin(Phase::kOpening, now);
  return {now.most, fmt::format("{} kbit/s do not fill the link", std::llround(rate.kilobits_per_second()))};
}

LaneCount::Decision LaneCount::measure(const Situation& now) {
  const DataRate rate = (now.carried - carried_) / (now.now - begin_);
  const double gain = rate_before_ > DataRate{} ? rate / rate_before_ : 1;
  const std::string why =
      fmt::format("{} connections brought {:.2f} times as much as {}", now.lanes, gain, lanes_before_);
  if (gain * lanes_before_ >= kProportional * now.lanes) return stay(now, now.lanes, kLongestRest, why);
  if (SteadyRate::is_full(now.round_trip, now.least)) return stay(now, now.lanes, kFirstRest, why);
  return now.lanes > 1 ? halve(now, rate, why) : stay(now, 1, rest_, why);
}

LaneCount::Decision LaneCount::halve(const Situation& now, DataRate rate, std::string why) {
  lanes_in_all_ = now.lanes;
  rate_before_ = rate;
  begin(Phase::kHalved, now);
  return {(now.lanes + 1) / 2, std::move(why), true};
}

LaneCount::Decision LaneCount::measure_half(const Situation& now) {
  const DataRate rate = (now.carried - carried_) / (now.now - begin_);
  const double part = rate_before_ > DataRate{} ? rate / rate_before_ : 1;
  std::string why = fmt::format("{} of {} connections brought {:.2f} of it all", now.lanes, lanes_in_all_, part);
  if (part < enough(now.lanes, lanes_in_all_)) return stay(now, lanes_in_all_, kLongestRest, std::move(why));
  return now.lanes > 1 ? halve(now, rate, std::move(why)) : stay(now, 1, rest_, std::move(why));
}

/// Each time that one was enough, the next trial is later.
LaneCount::Decision LaneCount::stay(const Situation& now, std::uint32_t lanes, Duration length, std::string why) {
  rest(now.now, length);
  rest_ = lanes == 1 ? std::min(2 * rest_, kLongestRest) : kFirstRest;
  steady_ = {};
  begin(Phase::kWatching, now);
  return {lanes, std::move(why)};
}

void LaneCount::begin(Phase phase, const Situation& now) {
  phase_ = phase;
  begin_ = now.now;
  carried_ = now.carried;
}

void LaneCount::rest(TimePoint now, Duration length) { rests_until_ = std::max(rests_until_, now + length); }

}  // namespace tributary
