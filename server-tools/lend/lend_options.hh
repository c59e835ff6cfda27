#pragma once

#include <optional>
#include <string>

#include "lend/lend_server.hh"

namespace tributary::lending {

struct LendOptions {
  // With one of these, nothing is lent by this program.
  bool pair = false;
  bool list_members = false;
  std::optional<std::string> remove_member{};

  LendServer::Options server;
};

/// Throws CommandLineEnd.
LendOptions parse_lend_command_line(int argc, char** argv);

}  // namespace tributary::lending
