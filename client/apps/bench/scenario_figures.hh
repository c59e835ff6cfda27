#pragma once

#include <optional>
#include <vector>

#include "apps/bench/bench_options.hh"
#include "report/csv_files.hh"
#include "report/session_record.hh"
#include "report/summary.hh"
#include "simulation/scenario.hh"

namespace tributary {

// What is known of a run because its links are those of a scenario.

/// The links of the scenario, or those of them that were named. Throws std::runtime_error for an option that names a
/// link that the scenario does not have.
std::vector<LinkScenario> chosen_links(const BenchOptions& options);

/// What all links could have carried from the start to the end, in bits.
double capacity_until(const std::vector<LinkScenario>& links, TimePoint end);
/// The rate of a link at a moment. The links must outlive it.
CapacityOf capacity_of(const std::vector<LinkScenario>& links);

/// What the oracle reaches: its upper bound, so that the share of it that was reached is not flattered. Nothing if the
/// session did not play all there is.
std::optional<Possible> possible_on(const std::vector<LinkScenario>& links, const SessionRecord& record,
                                    const SessionOptions& options);
/// Nothing if all links are free, or none is.
std::optional<FreeLinks> free_links_of(std::vector<LinkScenario> links, const BenchOptions& options,
                                       const SessionRecord& record);

}  // namespace tributary
