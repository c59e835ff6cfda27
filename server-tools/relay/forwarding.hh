#pragma once

#include "system/namespace_record.hh"

namespace tributary {

/// Lets this machine forward packets, as long as a relay runs in its network namespace. The last one puts back what was
/// there before the first one; a record of that in /run also serves the next relay after one that was killed.
class Forwarding {
 public:
  /// Throws std::runtime_error if the system does not let us.
  explicit Forwarding(bool ipv6);
  ~Forwarding();
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

 private:
  void turn_on(bool ipv6);
  void put_back();

  NamespaceRecord record_;  // locked: by one alone while it changes settings, and else by all that run
};

}  // namespace tributary
