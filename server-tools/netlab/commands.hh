#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tributary::netlab {

/// The subcommands of tributary-netlab. Each returns the exit status, and throws std::exception if it fails. A scenario
/// is given as text, or as "@FILE".

struct UpOptions {
  std::string lab, scenario;
  bool origin = false;
  std::vector<std::string> with_nat;
  bool members = false;
  bool play = false;
  std::uint64_t seed = 1;
};
int up(const UpOptions& options);

struct ExecOptions {
  std::string lab, side, user;
  std::vector<std::string> command;
};
/// Becomes the command; returns only if that fails.
int exec(const ExecOptions& options);

int set(const std::string& lab, const std::string& link, const std::vector<std::string>& words);
int play(const std::string& lab, const std::string& scenario, bool detach);
int stats(const std::string& lab, bool json);
int down(const std::string& lab);
int list();

}  // namespace tributary::netlab
