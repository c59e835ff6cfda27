#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "simulation/scenario.hh"

namespace tributary {

/// Scenarios and conditions for the control protocol and for statistics. Names end in their unit; times are whole
/// nanoseconds.
nlohmann::json to_json(const LinkCondition& condition);
nlohmann::json to_json(const std::vector<LinkScenario>& links);

/// The inverse of to_json. Throws nlohmann::json::exception for any other content.
std::vector<LinkScenario> scenario_from_json(const nlohmann::json& json);

}  // namespace tributary
