#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lending/reachable.hh"
#include "links/interfaces/received_bytes.hh"
#include "units/data_size.hh"

namespace tributary::lending {

/// Where this machine stands in its networks: which link is lent, what its addresses and neighbours are. As they were when
/// they were last looked at.
class Surroundings {
 public:
  /// `link`: what is lent; nothing: whatever leads to the internet.
  explicit Surroundings(std::optional<std::string> link) : named_{std::move(link)} { look(); }

  /// Throws std::system_error.
  void look();

  const Reachable::Here& here() const { return here_; }
  /// The interface that is lent; empty: none leads anywhere.
  const std::string& uplink() const { return uplink_; }
  /// Why nothing can be lent over it now; empty: it can.
  const std::string& why_not() const { return why_not_; }
  /// Connections are to be bound to it.
  bool is_named() const { return named_.has_value(); }
  /// Whether somebody with this address is in one of this machine's networks, or is this machine.
  bool is_near(const IpAddress& address) const;
  /// Whether lending to a member is of use: not if its way out is ours, or ours is its. `member`: its address;
  /// `gateways`: of its links, as it says.
  std::string obstacle(const IpAddress& member, const std::set<std::string>& gateways) const;
  /// That came over the lent link since the start of the machine; nothing: it is not counted, as on the loopback
  /// interface.
  std::optional<DataSize> received() const;

 private:
  /// An address of this machine, and the network that it is in.
  struct Place {
    std::string device;
    IpAddress own;
    IpNetwork network;
  };
  bool is_own(const std::string& address) const;

  std::optional<std::string> named_;
  std::string uplink_, why_not_;
  std::set<std::string> gateways_;  // of the uplink
  Reachable::Here here_;
  std::vector<Place> places_;
  ReceivedBytes counter_;
};

}  // namespace tributary::lending
