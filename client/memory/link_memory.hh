#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/links/remembered_link.hh"

namespace tributary {

/// Measurements of links beyond one session, by the networks that the links lead to.
class LinkMemory {
 public:
  virtual ~LinkMemory() = default;
  // None of these throws: a missing or unwritable memory is no reason for a session to end.

  /// The network that the link leads to now.
  virtual std::string network_of(const std::string& link) = 0;
  virtual std::optional<RememberedLink> recall(const std::string& network) = 0;
  virtual void remember(const std::map<std::string, RememberedLink>& networks) = 0;
};

}  // namespace tributary
