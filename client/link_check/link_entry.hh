#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/links/remembered_link.hh"
#include "link_check/link_probe.hh"
#include "links/interfaces/link_state.hh"

namespace tributary {

/// A problem of a link, and the command that mends it.
struct LinkDiagnosis {
  std::string problem;
  std::string command;  // to be run as root if needed; empty if no command mends the problem
};

/// One line of the list of links.
struct LinkEntry {
  LinkState state;
  std::string driver;
  std::optional<bool> metered;
  bool strict_reverse_path = false;
  std::optional<RememberedLink> remembered;  // of the network that the link leads to
  std::optional<LinkProbe> probe;
  std::optional<LinkDiagnosis> diagnosis;
};

/// The destination of the links.
struct CheckedOrigin {
  std::optional<std::string> url;      // nothing without --check
  std::vector<std::string> addresses;  // without --check those of kAnywhere, one of each family
};

/// Fills in the diagnosis of each link that has a problem. Compares all links: a problem that only one link has is the
/// link's own. Returns what is wrong with the address: the origin answers, and refuses it over each link.
std::optional<std::string> diagnose(std::vector<LinkEntry>& links, const CheckedOrigin& origin, bool network_manager);

}  // namespace tributary
