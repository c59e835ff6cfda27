#include "apps/tunnel/tunnel_options.hh"

#include "command_line/choice.hh"
#include "links/network_prefix.hh"
#include "tunnel/bonding_words.hh"
#include "units/quantity_text.hh"

namespace tributary {

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
      ->option_text("HOST[:PORT]")
      ->required();
  app.add_option("--key-file", options.key_file, "The key of this client, as tributary-relay --add-client made it.")
      ->option_text("FILE")
      ->required();
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
  app.add_flag(
         "--split", options.split,
         "End the connections of TCP of this machine here, and carry them by one connection for each link. The relay "
         "needs --split, too.")
      ->group("Tunnel");
  add_bonding_options(app, options.bonding);
  add_link_options(app, options);
  app.add_flag("--json", options.json,
               "Print the addresses, and at the end what each link carried and how many packets were dropped, as JSON.")
      ->group("Output");
  parse(app, argc, argv, [&] {
    options.relay = parse_relay(relay);
    expect_device_name(options.device);
    for (const std::string& network : networks) expect_network(network);
    if (!networks.empty()) options.networks = networks;
  });
  return options;
}

}  // namespace tributary
