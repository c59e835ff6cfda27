#pragma once

#include <memory>
#include <string>
#include <vector>

#include "links/interfaces/link_monitor.hh"
#include "links/way.hh"

namespace tributary {

/// Where links beside the interfaces of this machine come from. May be asked from any thread.
class LinkSource {
 public:
  virtual ~LinkSource() = default;

  /// A link of this name is, or may be, one of its own.
  virtual bool has(const std::string& link) const = 0;
  /// How connections over one of its links are made.
  virtual Way way(const std::string& link) const = 0;
  /// Tells which of its links lead to an origin, and each change of that. `only`: of these; empty: of all. Null: it has
  /// none of them. Throws as NetlinkLinkMonitor does.
  virtual std::unique_ptr<LinkMonitor> watch(const std::vector<std::string>& origin_addresses,
                                             const std::vector<std::string>& only) const = 0;
};

}  // namespace tributary
