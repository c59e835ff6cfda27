#pragma once

#include <optional>
#include <string>

#include "bonding/bonding_options.hh"
#include "bonding/handshake/peer_address.hh"
#include "bonding/inner/address_pool.hh"

namespace tributary {

struct RelayOptions {
  // With one of these, nothing else happens.
  std::optional<std::string> new_key;     // the file to be made
  std::optional<std::string> add_client;  // its name
  std::optional<std::string> remove_client;
  bool list_clients = false;

  std::string key_file;
  std::string client_list;
  bonding::PeerAddress listen;
  bonding::InnerNetwork network;
  bonding::BondingOptions bonding;
  std::string device{"tributary-relay"};
  bool nat = true;
  bool split = false;
  bool public_only = false;
};

/// Throws CommandLineEnd.
RelayOptions parse_relay_command_line(int argc, char** argv);

}  // namespace tributary
