#pragma once

#include <optional>
#include <string>
#include <vector>

#include "link_check/link_entry.hh"

namespace tributary {

/// A table, and below it each problem with the command that mends it. `address_problem`: what diagnose() returned.
std::string links_table(const std::vector<LinkEntry>& links, const std::optional<std::string>& address_problem = {});
/// The same content as one line of JSON, for programs.
std::string links_json(const std::vector<LinkEntry>& links, const std::optional<std::string>& address_problem = {});

}  // namespace tributary
