#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "accounts/link_budget.hh"
#include "accounts/link_terms.hh"
#include "bonding/bonding_options.hh"
#include "bonding/handshake/identities.hh"
#include "bonding/handshake/peer_address.hh"
#include "links/interfaces/link_monitor.hh"
#include "links/way.hh"
#include "units/carried_by_link.hh"

namespace tributary {

/// The client's end of a tunnel on this machine: a device whose packets go over all links to a relay. Links come and go,
/// and what passes through the tunnel goes on. The device, its addresses and routes vanish with the object, however the
/// program ends.
class TunnelClient {
 public:
  struct Options {
    std::vector<bonding::PeerAddress> relay;  // all its addresses; each link takes the first that it can reach
    bonding::ClientIdentity identity;
    bonding::BondingOptions bonding;
    std::string device{"tributary0"};
    std::vector<std::string> networks;  // led into the tunnel
    bool split = false;                 // connections of TCP end here, and at the relay
    std::function<Way(const std::string& link)> way = [](const std::string& link) { return Way{.device = link}; };
    TermsOfLink terms = terms_from({});
    LinkBudget* budget = nullptr;
    /// Called for all that a user wants to know.
    std::function<void(const std::string& text)> say;
    /// The relay has given us these addresses.
    std::function<void(const std::vector<std::string>& addresses)> connected;
  };

  /// The monitor looks for links that lead to the relay, and must outlive the client. Throws std::system_error if the device
  /// cannot be made.
  TunnelClient(Options options, LinkMonitor& monitor);
  ~TunnelClient();

  /// Until `stop_fd` is readable. Throws std::exception if the device is gone.
  void run(int stop_fd);

  /// Inner packets that this end dropped, as they waited too long, and those that it sent again over another link.
  struct PacketCounts {
    std::uint64_t dropped = 0, sent_again = 0;
  };
  PacketCounts packet_counts() const;
  /// Of each link that was used, both ways.
  std::vector<CarriedByLink> carried() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tributary
