#include "benchmark/scenario_figures.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "oracle/least_spared.hh"
#include "oracle/oracle.hh"

namespace tributary {

std::vector<LinkScenario> chosen_links(const BenchOptions& options) {
  std::vector<LinkScenario> links = parse_scenario(*options.scenario);
  const auto known = [&](const std::string& name) {
    return std::any_of(links.begin(), links.end(), [&](const LinkScenario& l) { return l.name == name; });
  };
  for (const auto& names : {options.expected.usable, options.expected.existing}) {
    for (const std::string& name : names) {
      if (!known(name)) throw std::runtime_error(fmt::format("--link {}: the scenario has no such link", name));
    }
  }
  if (options.links.empty()) return links;
  std::erase_if(links, [&](const LinkScenario& link) {
    return std::find(options.links.begin(), options.links.end(), link.name) == options.links.end();
  });
  if (links.empty()) throw std::runtime_error("the scenario has none of the links that are named");
  return links;
}

double capacity_until(const std::vector<LinkScenario>& links, TimePoint end) {
  double bits = 0;
  for (const LinkScenario& link : links) {
    for (TimePoint at; at < end;) {
      const LinkCondition& condition = link.at(at);
      const TimePoint until = std::min(link.next_change(at).value_or(end), end);
      if (condition.up) bits += condition.rate.bits_per_second() * to_seconds(until - at);
      at = until;
    }
  }
  return bits;
}

CapacityOf capacity_of(const std::vector<LinkScenario>& links) {
  return [&links](LinkId id, TimePoint at) -> std::optional<DataRate> {
    const LinkCondition& condition = links[to_index(id)].at(at);
    return condition.up ? condition.rate : DataRate{};
  };
}

std::optional<Possible> possible_on(const std::vector<LinkScenario>& links, const SessionRecord& record,
                                    const SessionOptions& options) {
  const auto first = record.segments().find(SegmentIndex{0});
  if (!record.complete() || first == record.segments().end() || !first->second.played) return std::nullopt;
  const auto bounds = best_possible(record.table(), links,
                                    {.at_start = options.segments_at_start(),
                                     .buffer_segments = options.buffer_segments,
                                     .startup = first->second.played->time_since_epoch()});
  if (!bounds) return std::nullopt;
  return Possible{bounds->upper.mean_level, bounds->upper.misses};
}

std::optional<FreeLinks> free_links_of(std::vector<LinkScenario> links, const BenchOptions& options,
                                       const SessionRecord& record) {
  const auto costs = [&](const LinkScenario& link) {
    const auto terms = options.terms.find(link.name);
    return terms != options.terms.end() && is_spared(terms->second.kind);
  };
  if (std::erase_if(links, costs) == 0 || links.empty()) return std::nullopt;
  const LinkCapacity capacity{links, record.now() + std::chrono::seconds{1}};
  FreeLinks free{capacity.delivered_until(record.now()), std::nullopt};
  std::vector<DataSize> sizes;
  std::vector<Duration> durations;
  for (const auto& [index, segment] : record.segments()) {
    if (!segment.played) return free;
    sizes.push_back(segment.size);
    durations.push_back(record.table().duration(index));
  }
  if (sizes.empty() || is_live(options.session.mode)) return free;
  const TimePoint start = *record.segments().begin()->second.played;
  free.least_spared = least_spared({sizes, durations, start, options.session.buffer_segments}, capacity);
  return free;
}

}  // namespace tributary
