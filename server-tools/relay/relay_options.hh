#pragma once

#include <optional>
#include <string>

#include "bonding/bonding_options.hh"
#include "bonding/handshake/peer_address.hh"
#include "bonding/inner/address_pool.hh"

namespace tributary {

struct RelayOptions {
  std::optional<std::string> new_key;  // the file to be made; nothing else happens then
  std::string key_file;
  bonding::PeerAddress listen;
  bonding::InnerNetwork network;
  bonding::BondingOptions bonding;
  std::string device{"tributary-relay"};
  bool nat = true;
  bool split = false;
};

/// Throws CommandLineEnd.
RelayOptions parse_relay_command_line(int argc, char** argv);

}  // namespace tributary
