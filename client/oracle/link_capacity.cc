#include "oracle/link_capacity.hh"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <iterator>
#include <numeric>

namespace tributary {
namespace {

/// From `at` on, the link delivers at this rate.
struct RateChange {
  TimePoint at;
  std::size_t link = 0;
  double bytes_per_second = 0;
};

void append_changes(std::vector<RateChange>& changes, const LinkScenario& scenario, std::size_t link, TimePoint horizon,
                    double payload_share) {
  const TimePoint first_byte = TimePoint{scenario.at(TimePoint{}).rtt};
  for (TimePoint at; at < horizon;) {
    const LinkCondition& condition = scenario.at(at);
    const TimePoint until = std::min(scenario.next_change(at).value_or(horizon), horizon);
    const double bits = condition.up ? condition.rate.bits_per_second() : 0;
    if (until > first_byte) changes.push_back({std::max(at, first_byte), link, bits / 8 * payload_share});
    at = until;
  }
}

}  // namespace

LinkCapacity::LinkCapacity(std::span<const LinkScenario> links, TimePoint horizon, double payload_share) {
  assert(horizon > TimePoint{} && payload_share > 0 && payload_share <= 1);
  std::vector<RateChange> changes;
  for (std::size_t i = 0; i < links.size(); ++i) append_changes(changes, links[i], i, horizon, payload_share);
  std::ranges::stable_sort(changes, {}, &RateChange::at);

  std::vector<double> rates(links.size(), 0);
  stretches_.push_back({});
  const auto begin_stretch = [&](TimePoint at, double bytes_per_second) {
    const Stretch& last = stretches_.back();
    stretches_.push_back({at, last.bytes + last.bytes_per_second * to_seconds(at - last.from), bytes_per_second});
  };
  for (const RateChange& change : changes) {
    rates[change.link] = change.bytes_per_second;
    begin_stretch(change.at, std::accumulate(rates.begin(), rates.end(), 0.0));
  }
  begin_stretch(horizon, 0);
}

DataSize LinkCapacity::delivered_until(TimePoint time) const {
  if (time <= TimePoint{}) return DataSize{};
  const Stretch& stretch = *std::prev(std::ranges::upper_bound(stretches_, time, {}, &Stretch::from));
  return DataSize{std::llround(stretch.bytes + stretch.bytes_per_second * to_seconds(time - stretch.from))};
}

std::optional<TimePoint> LinkCapacity::delivered_at(DataSize bytes) const {
  if (bytes <= DataSize{}) return TimePoint{};
  const auto wanted = static_cast<double>(bytes.bytes());
  // Half a byte less suffices: delivered_until rounds it up.
  const auto after = std::ranges::lower_bound(stretches_, wanted - 0.5, {}, &Stretch::bytes);
  if (after == stretches_.end()) return std::nullopt;
  const Stretch& stretch = *std::prev(after);
  const double seconds = (wanted - stretch.bytes) / stretch.bytes_per_second;
  return stretch.from + from_seconds(std::min(seconds, to_seconds(after->from - stretch.from)));
}

}  // namespace tributary
