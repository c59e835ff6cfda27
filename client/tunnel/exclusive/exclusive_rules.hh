#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bonding/handshake/peer_address.hh"
#include "system/namespace_record.hh"

namespace tributary {

/// Rules of nftables, "inet tributary_exclusive_DEVICE", by which what a tunnel leads leaves this machine through the tunnel
/// only. Beside its device, there is what goes to the relay, and what links need to have an address. The rules outlast the
/// program: they go by lift() alone. The next program with this device replaces them at once.
class ExclusiveRules {
 public:
  struct Options {
    std::string device;
    std::vector<std::string> networks;  // that the tunnel leads ("0.0.0.0/0")
    bool local = false;                 // private networks are reached as before, but for their name servers
  };
  /// Changes nothing yet. `say` is told if the rules stay. Throws std::runtime_error if a program with this device runs.
  ExclusiveRules(Options options, std::function<void(const std::string& text)> say);
  ~ExclusiveRules();
  ExclusiveRules(const ExclusiveRules&) = delete;
  ExclusiveRules& operator=(const ExclusiveRules&) = delete;

  /// The addresses of this relay, as they were when rules were made that stand: these let no name be looked up.
  std::optional<std::vector<bonding::PeerAddress>> known_addresses(const std::string& host, std::uint16_t port) const;
  /// Throws std::runtime_error if the system refuses the rules.
  void make(const std::string& host, std::span<const bonding::PeerAddress> relay);
  /// The end of a tunnel that is not wanted any more.
  void lift();

  /// What any program with this device left. False: the system refuses.
  static bool lift(const std::string& device);

 private:
  Options options_;
  std::function<void(const std::string& text)> say_;
  NamespaceRecord record_;  // the relay's name, and its addresses
  bool stand_ = false;
};

}  // namespace tributary
