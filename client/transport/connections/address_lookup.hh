#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/connections/link_rules.hh"
#include "transport/connections/origin.hh"

namespace tributary::transport {

/// resolve() for callers that cannot wait. The system's resolver cannot be interrupted, so it runs in a thread of its
/// own. If the lookup is destroyed, that thread goes on until the resolver returns, and touches nothing of ours.
class AddressLookup {
 public:
  AddressLookup(const Origin& origin, const LinkRules& rules);

  /// Readable once there is a result. The lookup owns it.
  int file_descriptor() const;
  /// Nothing until the resolver has answered. Throws LookupError, as resolve().
  std::optional<std::vector<std::string>> result() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tributary::transport
