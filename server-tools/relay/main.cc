#include <fmt/format.h>

#include <cstdio>

#include "apps/common/stop_signal.hh"
#include "command_line/program_end.hh"
#include "relay/relay_options.hh"
#include "relay/relay_server.hh"
#include "tunnel/key_file.hh"
#include "units/printed_text.hh"

namespace tributary {
namespace {

void say(const std::string& text) { print_text(stderr, "tributary-relay: {}\n", text); }

int run(const RelayOptions& options) {
  if (options.new_key) {
    write_new_key(*options.new_key);
    return 0;
  }
  const int stop_fd = stop_signal_fd();
  RelayServer server{{.listen = options.listen,
                      .key = read_key(options.key_file),
                      .network = options.network,
                      .bonding = options.bonding,
                      .device = options.device,
                      .nat = options.nat,
                      .split = options.split,
                      .say = say}};
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
