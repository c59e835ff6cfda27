#include "apps/tunnel/tunnel_options.hh"

#include "command_line/choice.hh"
#include "tunnel/machine/bonding_words.hh"
#include "units/text/ip_address.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

/// Its address alone, as a network.
std::string network_of_server(const std::string& address) {
  const std::string network = network_of_one(address);
  try {
    IpNetwork::from(network);
  } catch (const std::invalid_argument&) {
    throw std::invalid_argument{"\"" + address + "\": expected the address of a name server, as 192.0.2.53"};
  }
  return network;
}

void add_exclusive_options(CLI::App& app, TunnelOptions& options) {
  const auto exclusive =
      app.add_flag("--exclusive", options.exclusive,
                   "Let what is led through the tunnel leave by nothing else, also after the program was killed and "
                   "until it is ended.")
          ->group("Kill switch and names");
  app.add_flag("--local", options.local,
               "With --exclusive: reach private networks as before, but for name servers in them.")
      ->needs(exclusive)
      ->group("Kill switch and names");
  app.add_flag("--release", options.release,
               "Put back what --exclusive and --dns of a tunnel that was killed have left, and end.")
      ->group("Kill switch and names");
}

}  // namespace

TunnelOptions parse_tunnel_command_line(int argc, char** argv) {
  TunnelOptions options;
  CLI::App app{"", "tributary-tunnel"};
  introduce(
      app,
      {"Leads the traffic of all programs of this machine over all its links at once, through a relay of your own "
       "(tributary-relay). Runs until Ctrl-C; nothing is left behind then. Video needs no relay: tributary-proxy and "
       "the player use all links without one.",
       "0 after Ctrl-C, 1 if the tunnel cannot be set up, 2 for a wrong command line, 3 if a link that --link names is "
       "not there.",
       {"tributary-tunnel --key-file laptop.key relay.example.org",
        "tributary-tunnel --key-file laptop.key --network 10.0.0.0/8 relay.example.org"}});
  add_version(app, TRIBUTARY_VERSION);
  std::string relay;
  app.add_option("relay", relay, "The relay: a name or an address, with a port if that is not 7117.")
      ->option_text("HOST[:PORT]");
  app.add_option("--key-file", options.key_file, "The key of this client, as tributary-relay --add-client made it.")
      ->option_text("FILE");
  std::vector<std::string> networks;
  app.add_option("--network", networks,
                 "Lead only traffic to this network through the tunnel; repeat the option for more.")
      ->option_text("NETWORK")
      ->allow_extra_args(false)
      ->default_str("all traffic")
      ->group("Tunnel");
  app.add_option("--device", options.device, "The name of the tunnel's device.")
      ->option_text("NAME")
      ->default_str(options.device)
      ->group("Tunnel");
  app.add_flag("--split", options.split,
               "Terminate TCP here; use one TCP connection per link. The relay needs --split, too.")
      ->group("Tunnel");
  app.add_option("--dns", options.dns,
                 "Look names up at this address, through the tunnel, as long as it is up; repeat the option for more.")
      ->option_text("ADDRESS")
      ->allow_extra_args(false)
      ->default_str("as before")
      ->group("Kill switch and names");
  add_exclusive_options(app, options);
  add_bonding_options(app, options.bonding);
  add_link_options(app, options);
  app.add_flag("--json", options.json,
               "Print the addresses, and at the end what each link carried and how many packets were dropped, as JSON.")
      ->group("Output");
  parse(app, argc, argv, [&] {
    expect_device_name(options.device);
    if (options.release) return;
    if (options.key_file.empty()) throw std::invalid_argument{"--key-file is required"};
    if (relay.empty()) throw std::invalid_argument{"the relay is required: HOST[:PORT]"};
    options.relay = parse_relay(relay);
    for (const std::string& network : networks) IpNetwork::from(network);
    if (!networks.empty()) options.networks = networks;
    // Also where a link is in the network of a name server.
    for (const std::string& address : options.dns) options.networks.push_back(network_of_server(address));
  });
  return options;
}

}  // namespace tributary
