#pragma once

#include <string>
#include <vector>

#include "tunnel/nft_table.hh"

namespace tributary {

/// The rules of nftables by which the clients of a relay reach the net behind it, under its addresses, and not each other.
/// They are in a table of their own, tributary_relay_DEVICE. What a killed relay left behind goes as soon as another one
/// begins.
class RelayNat {
 public:
  /// `networks`: those of the clients ("10.117.0.0/16"). Throws std::runtime_error.
  RelayNat(const std::string& device, const std::vector<std::string>& networks);

 private:
  NftTable table_;
};

}  // namespace tributary
