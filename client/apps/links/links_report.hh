#pragma once

#include <string>
#include <vector>

#include "apps/links/link_entry.hh"

namespace tributary {

/// A table, and below it what is wrong and what mends it.
std::string links_table(const std::vector<LinkEntry>& links);
/// The same for programs, in one line.
std::string links_json(const std::vector<LinkEntry>& links);

}  // namespace tributary
