#include "bonding/inner/subflow_rates.hh"

namespace tributary::bonding {

void SubflowRates::came(Subflow subflow, DataSize size, TimePoint now) {
  const auto [found, is_new] = subflows_.try_emplace(subflow);
  Counted& counted = found->second;
  if (is_new || now - counted.last >= kGone) {
    counted = {.since = now, .last = now, .size = {}, .rate = {}};
    return;
  }
  counted.last = now;
  counted.size += size;
  if (now <= counted.since) return;
  const bool ends_period = now - counted.since >= kPeriod;
  if (ends_period || !counted.whole_period) counted.rate = counted.size / (now - counted.since);
  if (ends_period) {
    counted.whole_period = true;
    counted.since = now;
    counted.size = {};
  }
}

std::vector<SubflowRate> SubflowRates::at(TimePoint now) const {
  std::vector<SubflowRate> rates;
  for (const auto& [subflow, counted] : subflows_)
    if (now - counted.last < kGone) rates.push_back({subflow, counted.rate});
  return rates;
}

}  // namespace tributary::bonding
