#pragma once

#include <optional>
#include <string>
#include <vector>

#include "apps/links/link_probe.hh"
#include "core/links/remembered_link.hh"
#include "links/link_state.hh"

namespace tributary {

/// What is wrong, and what mends it.
struct LinkDiagnosis {
  std::string problem;
  std::string command;  // to be run as root where that is needed; empty if there is none
};

/// One link, as it is listed.
struct LinkEntry {
  LinkState state;
  std::string driver;
  std::optional<bool> metered;
  bool strict_reverse_path = false;
  std::optional<RememberedLink> remembered;  // of the network that it leads to
  std::optional<LinkProbe> probe;
  std::optional<LinkDiagnosis> diagnosis;
};

/// What the links are to lead to.
struct CheckedOrigin {
  std::optional<std::string> url;      // if anything was checked
  std::vector<std::string> addresses;  // of both families if it is anywhere
};

/// Fills in what is wrong with each link, if anything is. Looks at all of them: what is wrong on one link only is wrong with the
/// link.
void diagnose(std::vector<LinkEntry>& links, const CheckedOrigin& origin, bool network_manager);

}  // namespace tributary
