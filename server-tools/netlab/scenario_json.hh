#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

/// Scenarios and conditions for the control protocol and for statistics. Units are in the names, times are
/// whole nanoseconds.
nlohmann::json to_json(const LinkCondition& condition);
nlohmann::json to_json(const std::vector<LinkScenario>& links);

/// Reads back what to_json wrote. Throws nlohmann::json::exception for anything else.
std::vector<LinkScenario> scenario_from_json(const nlohmann::json& json);

}  // namespace tributary
