#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "transport/connections/origin.hh"

namespace tributary::transport {

/// resolve() for those who cannot wait: the system's resolver, which cannot be interrupted, runs in a thread of its own.
/// When the lookup is destroyed, that thread is left to itself until the resolver returns; it touches nothing of ours.
class AddressLookup {
 public:
  explicit AddressLookup(const Origin& origin);

  /// Readable once there is a result.
  int file_descriptor() const;
  /// Nothing as long as the resolver has not answered. Throws LookupError, as resolve().
  std::optional<std::vector<std::string>> result() const;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace tributary::transport
