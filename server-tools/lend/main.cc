#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "command_line/program_end.hh"
#include "lend/lend_options.hh"
#include "lend/lend_server.hh"
#include "lend/pair_command.hh"
#include "system/stop_signal.hh"
#include "system/utc_now.hh"
#include "units/text/printed_text.hh"
#include "units/utc_time.hh"

namespace tributary::lending {
namespace {

void log(const std::string& text) {
  print_text(stdout, "{} {}\n", utc_text(utc_now()), text);
  std::fflush(stdout);
}

void print_members(const PeersFile& file) {
  for (const Peer& member : file.read()) print_text(stdout, "{}\n", member.name);
}

void remove(const PeersFile& file, const std::string& name) {
  if (!file.remove(name))
    throw UsageError{fmt::format("--remove-member: \"{}\": there is no such member (--members lists them)", name)};
}

int run(const LendOptions& options) {
  const std::filesystem::path folder = options.server.lender.folder;
  const PeersFile members{folder, PeersFile::Of::kMembers};
  if (options.pair) return show_pairing_code(folder);
  if (options.list_members) {
    print_members(members);
    return 0;
  }
  if (options.remove_member) {
    remove(members, *options.remove_member);
    return 0;
  }
  const int stop_fd = stop_signal_fd();
  LendServer server{options.server, log};
  print_text(stdout, "lends at TCP port {}\n", server.port());
  std::fflush(stdout);
  server.run(stop_fd);
  return 0;
}

}  // namespace
}  // namespace tributary::lending

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-lend"},
                     [&] { return lending::run(lending::parse_lend_command_line(argc, argv)); });
}
