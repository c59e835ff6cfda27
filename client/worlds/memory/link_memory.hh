#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/links/remembered_link.hh"

namespace tributary {

/// Knows what links could do, beyond one session: by the networks that they lead to.
class LinkMemory {
 public:
  virtual ~LinkMemory() = default;
  // None of these throws: what is not known or cannot be remembered is no reason for a session to end.

  /// The network that the link leads to now.
  virtual std::string network_of(const std::string& link) = 0;
  virtual std::optional<RememberedLink> recall(const std::string& network) = 0;
  virtual void remember(const std::map<std::string, RememberedLink>& networks) = 0;
};

}  // namespace tributary
