#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <vector>

#include "units/text/ip_address.hh"

namespace tributary::lending {

/// Where members get to over a lent uplink: addresses of the public internet, at the ports of the web. Not to this machine,
/// not to its neighbours (which may have public addresses), not to private networks, whatever name or form of address leads
/// there. The lender may allow more.
struct Reachable {
  std::vector<std::uint16_t> ports{80, 443};
  /// Though they are not public. An address of this machine is among them only if it is named alone.
  std::vector<IpNetwork> allowed;

  /// What this machine has at the moment.
  struct Here {
    std::vector<IpAddress> own;         // its addresses
    std::vector<IpNetwork> neighbours;  // the networks that its interfaces are in
  };
  /// Why there is no connection to this address; empty: there may be one.
  std::string obstacle(const sockaddr& address, const Here& here) const;
  bool has_port(std::uint16_t port) const;
};

}  // namespace tributary::lending
