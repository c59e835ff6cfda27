#pragma once

#include <memory>
#include <string>
#include <vector>

#include "links/interfaces/link_state.hh"

struct nl_addr;
struct nl_sock;

namespace tributary {

struct NlAddressDeleter {
  void operator()(nl_addr* address) const;
};
struct NlSocketDeleter {
  void operator()(nl_sock* socket) const;
};
using NlAddress = std::unique_ptr<nl_addr, NlAddressDeleter>;
using NlSocket = std::unique_ptr<nl_sock, NlSocketDeleter>;

/// A connected rtnetlink socket. Throws std::runtime_error if the kernel refuses it.
NlSocket open_route_socket();

/// Asks the kernel for all interfaces, their addresses, and the routes of all tables that lead to one origin. Needs no
/// privileges.
///
/// A route to the origin is a unicast route through the interface, to a prefix that contains the origin. For an origin
/// on this machine only the loopback interface has such a route; a default route does not lead there.
class LinkSnapshot {
 public:
  /// Addresses as text. Only the interface that an address names leads to it ("fe80::1%eth0"). Throws std::invalid_argument if one is not an address, std::runtime_error if rtnetlink fails.
  explicit LinkSnapshot(const std::vector<std::string>& origin_addresses);

  bool origin_is_loopback() const { return origin_is_loopback_; }
  /// Throws std::runtime_error if rtnetlink fails.
  LinkStates take() const;

 private:
  std::vector<NlAddress> origin_;
  std::string zone_;  // the interface that the origin's address names; empty: it names none
  bool origin_is_loopback_ = false;
  NlSocket socket_;
};

}  // namespace tributary
