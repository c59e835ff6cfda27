#pragma once

#include "system/namespace_record.hh"

namespace tributary {

/// Lets this machine forward packets, as long as a relay runs in its network namespace. The last one puts back what was
/// there before the first one; a record of that in /run also serves the next relay after one that was killed.
///
/// Between the constructor and turn_on(), the relay closes ways that this would open to others.
class Forwarding {
 public:
  /// Changes nothing but what a killed relay has left. Throws std::system_error.
  explicit Forwarding(bool ipv6);
  ~Forwarding();
  Forwarding(const Forwarding&) = delete;
  Forwarding& operator=(const Forwarding&) = delete;

  /// Which packets this machine forwarded before the first relay.
  struct Before {
    bool ipv4 = false, ipv6 = false;
  };
  Before before() const;
  /// Throws std::runtime_error if the system does not let us.
  void turn_on();

 private:
  void note();
  void put_back();

  NamespaceRecord record_;  // locked: by one alone while it changes settings, and else by all that run
  bool first_ = false, ipv6_ = false;
};

}  // namespace tributary
