#pragma once

#include <string>
#include <vector>

#include "tunnel/machine/nft_table.hh"

namespace tributary {

/// The rules of nftables by which the clients of a relay reach the net behind it, under its addresses, and not each other.
/// Where this machine forwarded nothing before, nobody but clients has packets forwarded.
/// They are in a table of their own, tributary_relay_DEVICE. What a killed relay left behind goes as soon as another one
/// begins.
class RelayNat {
 public:
  /// Of the devices of all relays.
  static constexpr int kGroup = 29'298;

  struct Options {
    std::string device;                             // in the group
    std::vector<std::string> networks;              // of the clients ("10.117.0.0/16")
    std::vector<std::string> refused;               // where clients do not get to
    bool guards_ipv4 = false, guards_ipv6 = false;  // nothing of these was forwarded before
  };
  /// Throws std::runtime_error.
  explicit RelayNat(const Options& options);

 private:
  NftTable table_;
};

}  // namespace tributary
