#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bonding/bonding_options.hh"
#include "program/options/command_line.hh"
#include "tunnel/machine/relay_address.hh"

namespace tributary {

struct TunnelOptions : NetworkOptions {
  RelayName relay;
  std::string key_file;
  std::string device{"tributary0"};
  std::vector<std::string> networks{"0.0.0.0/0", "::/0"};  // led into the tunnel
  bonding::BondingOptions bonding;
  std::vector<std::string> dns;  // name servers; led into the tunnel, too
  bool split = false;
  bool exclusive = false;  // what is led into the tunnel leaves by nothing else
  bool local = false;      // but to private networks
  bool release = false;    // nothing else happens: what a killed tunnel left is put back
  bool json = false;
};

/// Throws CommandLineEnd.
TunnelOptions parse_tunnel_command_line(int argc, char** argv);

}  // namespace tributary
