#include "simulation/thesis_dynamics.hh"

#include <algorithm>

#include "units/split_mix.hh"

namespace tributary {
namespace {

using namespace std::chrono_literals;

constexpr Duration kLength = 1h;

/// A normal variate of standard deviation 1, as the sum of twelve uniform numbers. A logarithm, which has other last
/// bits on other machines, is not needed. Values beyond 6 are missing, but the callers clip at 2.
double normal(SplitMix& random) {
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += random.uniform();
  return sum;
}

// The thesis gives the limits only; a deviation of 5 ms leaves 95 % of the values unclipped.
Duration near_rtt(SplitMix& random) { return from_seconds(std::clamp(10 + 5 * normal(random), 0.0, 20.0) / 1e3); }

Duration far_rtt(SplitMix& random) { return from_seconds((20 + 60 * random.uniform()) / 1e3); }

void change_to(LinkScenario& link, TimePoint at, DataRate rate, Duration rtt) {
  LinkCondition condition;
  condition.rate = rate;
  condition.rtt = rtt;
  link.changes.push_back({at, condition});
}

}  // namespace

std::vector<LinkScenario> thesis_dynamics(std::uint64_t seed, DataRate total) {
  SplitMix random{seed};
  LinkScenario link1{.name = "link1", .changes = {}, .period = kLength};
  LinkScenario link2{.name = "link2", .changes = {}, .period = kLength};
  for (TimePoint at{}; at < TimePoint{kLength}; at += std::chrono::seconds{2 + random.below(9)}) {
    const DataRate share = (1 + random.below(5)) * (total / 6);
    change_to(link1, at, share, near_rtt(random));
    change_to(link2, at, total - share, far_rtt(random));
  }
  return {link1, link2};
}

}  // namespace tributary
