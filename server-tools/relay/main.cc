#include <fmt/format.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <vector>

#include "bonding/handshake/key_text.hh"
#include "command_line/program_end.hh"
#include "relay/relay_options.hh"
#include "relay/relay_server.hh"
#include "system/kept_capabilities.hh"
#include "system/stop_signal.hh"
#include "tunnel/machine/client_list_file.hh"
#include "tunnel/machine/key_file.hh"
#include "units/text/printed_text.hh"

namespace tributary {
namespace {

void say(const std::string& text) { print_text(stderr, "tributary-relay: {}\n", text); }

void print_clients(const bonding::ClientList& clients) {
  std::map<std::string, bonding::PublicKey> by_name;
  for (const auto& [key, name] : clients) by_name.emplace(name, key);
  for (const auto& [name, key] : by_name) print_text(stdout, "{} {}\n", name, bonding::key_text(key));
}

/// Keys and clients. False: none of them was asked for.
bool administrate(const RelayOptions& options) {
  if (options.new_key) {
    write_relay_key(*options.new_key, bonding::RelayIdentity::random());
  } else if (options.add_client) {
    const std::string key_file = *options.add_client + ".key";
    add_client(options.client_list, read_relay_key(options.key_file), *options.add_client, key_file);
    print_text(stdout, "{}: bring it to the client, and keep no copy\n", key_file);
  } else if (options.remove_client) {
    remove_client(options.client_list, *options.remove_client);
  } else if (options.list_clients) {
    print_clients(read_client_list(options.client_list));
  } else {
    return false;
  }
  return true;
}

/// A folder of another user, as after sudo: even root enters it by a capability only.
bool is_closed_to_us(const std::filesystem::path& folder) {
  struct stat state {};
  return ::stat(folder.c_str(), &state) == 0 && state.st_uid != ::geteuid() && (state.st_mode & S_IXOTH) == 0;
}

/// For rules and settings that are put back at the end, and for a list of clients that is read again when it changes.
std::vector<int> still_needed(const std::string& client_list) {
  std::filesystem::path folder = std::filesystem::canonical(std::filesystem::absolute(client_list).parent_path());
  for (; !is_closed_to_us(folder); folder = folder.parent_path()) {
    if (folder == folder.root_path()) return {CAP_NET_ADMIN};
  }
  return {CAP_NET_ADMIN, CAP_DAC_READ_SEARCH};
}

int run(const RelayOptions& options) {
  if (administrate(options)) return 0;
  const int stop_fd = stop_signal_fd();
  RelayServer server{{.listen = options.listen,
                      .identity = read_relay_key(options.key_file),
                      .client_list = options.client_list,
                      .network = options.network,
                      .bonding = options.bonding,
                      .device = options.device,
                      .nat = options.nat,
                      .split = options.split,
                      .public_only = options.public_only,
                      .say = say}};
  keep_only(still_needed(options.client_list));
  print_text(stdout, "listening at UDP port {}\n", server.port());
  std::fflush(stdout);
  server.run(stop_fd);
  return 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-relay"}, [&] { return run(parse_relay_command_line(argc, argv)); });
}
