#pragma once

#include <string>
#include <vector>

#include "bonding/handshake/peer_address.hh"
#include "bonding/inner/address_pool.hh"
#include "units/text/ip_address.hh"

namespace tributary {

/// Says to where a relay connects for its clients: only to where it would forward their packets, though connections leave
/// from the relay itself. What listens on this machine is behind its firewall for packets, and clients reach it by these.
class SplitDestinations {
 public:
  /// `refused`: networks ("169.254.0.0/16").
  SplitDestinations(const bonding::InnerNetwork& network, const std::vector<std::string>& refused);

  bool allows(const bonding::PeerAddress& to) const;

 private:
  bonding::InnerNetwork network_;
  std::vector<IpNetwork> refused_;
};

}  // namespace tributary
