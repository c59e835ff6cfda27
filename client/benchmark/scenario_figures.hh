#pragma once

#include <optional>
#include <vector>

#include "benchmark/bench_options.hh"
#include "report/csv_files.hh"
#include "report/session_record.hh"
#include "report/summary.hh"
#include "simulation/scenario.hh"

namespace tributary {

// Figures of a run that only a scenario can give: it states what its links can carry.

/// The links of the scenario, or those of them that were named. Throws std::runtime_error for an option that names a
/// link that the scenario does not have.
std::vector<LinkScenario> chosen_links(const BenchOptions& options);

/// The bits that all links together can carry from the start to `end`.
double capacity_until(const std::vector<LinkScenario>& links, TimePoint end);
/// The rate of a link at a moment. The links must outlive it.
CapacityOf capacity_of(const std::vector<LinkScenario>& links);

/// The qualities that the oracle reaches. It is the oracle's upper bound, so that a session's share of it is not
/// flattered. Nothing if the session did not play the whole presentation.
std::optional<Possible> possible_on(const std::vector<LinkScenario>& links, const SessionRecord& record,
                                    const SessionOptions& options);
/// Nothing if all links are free, or none is.
std::optional<FreeLinks> free_links_of(std::vector<LinkScenario> links, const BenchOptions& options,
                                       const SessionRecord& record);

}  // namespace tributary
