#pragma once

#include <string>
#include <vector>

#include "transport/connections/link_rules.hh"
#include "transport/connections/preconnections.hh"
#include "worlds/discovery/first_link.hh"

namespace tributary {

/// Begins a connection over each link that leads to these addresses now, and that is used without need (LinkUse::kUse).
/// `only`: of these links; empty: of all. `rules`: the link is set for each. Throws as NetlinkLinkMonitor does.
void connect_ahead(transport::Preconnections& connections, const std::vector<std::string>& addresses,
                   const std::vector<std::string>& only, const UseOfLink& use, const transport::LinkRules& rules);

}  // namespace tributary
