#pragma once

#include <string>
#include <vector>

#include "bonding/handshake/handshake_datagrams.hh"
#include "units/text/ip_address.hh"

namespace tributary {

/// Which packets that come out of the tunnel are let into this machine: those to its own address in the tunnel, and from a
/// network that is led through it. A relay has no business with any others. News of ICMP that a packet of ours could not go
/// on may come from anywhere on its way.
class InnerFilter {
 public:
  /// "0.0.0.0/0", "2001:db8::/32". Throws std::invalid_argument.
  explicit InnerFilter(const std::vector<std::string>& networks);

  /// Until then nothing is let in.
  void own_addresses(const bonding::Assignment& assignment);

  bool lets_in(bonding::ByteSpan packet) const;

 private:
  bool is_own(bonding::ByteSpan address) const;
  bool is_led_here(bonding::ByteSpan address) const;

  std::vector<IpNetwork> networks_;
  std::vector<bonding::Bytes> own_;
};

}  // namespace tributary
