#include "relay/relay_options.hh"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <span>

#include "command_line/introduction.hh"
#include "command_line/parse.hh"
#include "tunnel/machine/bonding_words.hh"
#include "tunnel/machine/relay_address.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

/// "7117", "192.0.2.1", "192.0.2.1:7117", "[2001:db8::1]:7117".
bonding::PeerAddress parse_listen(const std::string& text) {
  bonding::PeerAddress anywhere{.port = kRelayPort};
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error == std::errc{} && end == text.data() + text.size()) {
    anywhere.port = port;
    return anywhere;
  }
  try {
    return addresses_of(parse_relay(text)).at(0);
  } catch (const std::runtime_error& failure) {
    throw std::invalid_argument{failure.what()};
  }
}

/// "10.9.0.0/16", "fd12:3456:789a:1::/64": the last 16 bits are numbers of clients.
void read_network(const std::string& text, bonding::InnerNetwork& network) {
  const auto refuse = [&] {
    throw std::invalid_argument{
        fmt::format("\"{}\": expected a network as 10.9.0.0/16 or fd12:3456:789a:1::/64", text)};
  };
  const std::size_t slash = std::min(text.find('/'), text.size());
  const auto address = IpAddress::from(text.substr(0, slash));
  if (!address || text.substr(slash) != (address->is_ipv6() ? "/64" : "/16")) refuse();
  const std::span<const std::byte> bytes = address->bytes();
  const auto behind = bytes.subspan(address->is_ipv6() ? 8 : 2);
  if (!std::ranges::all_of(behind, [](std::byte b) { return b == std::byte{}; })) refuse();
  if (address->is_ipv6()) {
    std::ranges::copy(bytes, network.ipv6.begin());
  } else {
    std::ranges::copy(bytes, network.ipv4.begin());
  }
}

void add_key_options(CLI::App& app, RelayOptions& options) {
  const auto new_key = app.add_option("--new-key", options.new_key,
                                      "Make a key for a relay in this file, and end. It stays on the relay.")
                           ->option_text("FILE")
                           ->group("Key");
  app.add_option("--key-file", options.key_file, "The key of the relay.")
      ->option_text("FILE")
      ->excludes(new_key)
      ->group("Key");
  const auto add =
      app.add_option("--add-client", options.add_client,
                     "Make the key of a client in NAME.key, add it to the list, and end. A relay that runs "
                     "lets it in at once.")
          ->option_text("NAME")
          ->excludes(new_key)
          ->group("Clients");
  const auto remove = app.add_option("--remove-client", options.remove_client,
                                     "Take a client from the list, and end. A relay that runs cuts it off at once.")
                          ->option_text("NAME")
                          ->excludes(new_key)
                          ->excludes(add)
                          ->group("Clients");
  app.add_flag("--clients", options.list_clients,
               "Print the names and public keys of the clients in the list, and end.")
      ->excludes(new_key)
      ->excludes(add)
      ->excludes(remove)
      ->group("Clients");
  app.add_option("--client-list", options.client_list, "The list of clients.")
      ->option_text("FILE")
      ->excludes(new_key)
      ->default_str("named like the key, with .clients")
      ->group("Clients");
}

void complete_key_options(RelayOptions& options) {
  if (!options.new_key && options.key_file.empty())
    throw std::invalid_argument{"--key-file is required (--new-key FILE makes a key)"};
  if (options.client_list.empty())
    options.client_list = std::filesystem::path{options.key_file}.replace_extension(".clients").string();
}

}  // namespace

RelayOptions parse_relay_command_line(int argc, char** argv) {
  RelayOptions options;
  CLI::App app{"", "tributary-relay"};
  introduce(
      app,
      {"The other end of tributary-tunnel, for a machine that the net reaches: takes the packets of its clients out "
       "of their tunnels, and sends answers back over all links of each. Runs until Ctrl-C; nothing is left "
       "behind then.",
       "0 after Ctrl-C, 1 if it cannot be set up, 2 for a wrong command line.",
       {"tributary-relay --new-key relay.key", "tributary-relay --key-file relay.key --add-client laptop",
        "tributary-relay --key-file relay.key"}});
  add_version(app, TRIBUTARY_VERSION);
  std::string listen;
  std::vector<std::string> networks;
  bool no_nat = false, no_ipv6 = false;
  add_key_options(app, options);
  app.add_option("--listen", listen, "Listen at this UDP port, or at one address only.")
      ->option_text("[ADDRESS:]PORT")
      ->default_str(std::to_string(kRelayPort))
      ->group("Tunnel");
  app.add_option("--network", networks,
                 "Give clients addresses of this network, a /16 of IPv4 or a /64 of IPv6; repeat the option for both.")
      ->option_text("NETWORK")
      ->allow_extra_args(false)
      ->default_str("10.117.0.0/16 and fd74:7269:6200::/64")
      ->group("Network");
  app.add_flag("--no-ipv6", no_ipv6, "Give clients no address of IPv6.")->group("Network");
  app.add_flag("--no-nat", no_nat,
               "Change neither nftables nor forwarding: clients reach this machine only, unless you set up more.")
      ->group("Network");
  app.add_flag("--public-only", options.public_only,
               "Let clients reach the public internet only, and no private network that this machine reaches.")
      ->group("Network");
  app.add_flag("--split", options.split,
               "Take connections of TCP of clients that have --split, at the TCP port of the same number.")
      ->group("Tunnel");
  app.add_option("--device", options.device, "The name of the tunnel's device.")
      ->option_text("NAME")
      ->default_str(options.device)
      ->group("Tunnel");
  add_bonding_options(app, options.bonding);
  parse(app, argc, argv, [&] {
    complete_key_options(options);
    options.listen = listen.empty() ? bonding::PeerAddress{.port = kRelayPort} : parse_listen(listen);
    for (const std::string& network : networks) read_network(network, options.network);
    expect_device_name(options.device);
    options.network.offers_ipv6 = !no_ipv6;
    options.nat = !no_nat;
  });
  return options;
}

}  // namespace tributary
