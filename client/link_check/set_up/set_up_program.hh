#pragma once

#include <string>
#include <vector>

#include "link_check/set_up/fixed_addresses.hh"
#include "program/network_manager.hh"

namespace tributary {

struct SetUpOptions {
  std::vector<std::string> links;  // empty: all that are hardware
  FixedAddresses fixed;
  bool json = false;
};

/// The commands that would set the links up, and those that put everything back, as a script. Changes nothing.
std::string set_up_commands(const SetUpOptions& options);

/// Sets the links up, and those that come, until the program shall end; then puts everything back. Throws std::runtime_error.
void set_up(const SetUpOptions& options);

}  // namespace tributary
