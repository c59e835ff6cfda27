#include <fmt/format.h>
#include <linux/capability.h>

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>

#include "apps/tunnel/tunnel_options.hh"
#include "command_line/program_end.hh"
#include "links/link_catalogue.hh"
#include "program/carried_report.hh"
#include "program/options/named_links.hh"
#include "program/real_link_costs.hh"
#include "system/kept_capabilities.hh"
#include "system/stop_signal.hh"
#include "tunnel/exclusive/exclusive_rules.hh"
#include "tunnel/exclusive/name_servers.hh"
#include "tunnel/machine/key_file.hh"
#include "tunnel/tunnel_client.hh"
#include "units/text/printed_text.hh"

namespace tributary {
namespace {

constexpr int kNamedLinkFails = 3;

int status_after(const std::exception& error) {
  return dynamic_cast<const NamedLinksUnusable*>(&error) != nullptr ? kNamedLinkFails : 1;
}

void say(const std::string& text) { print_text(stderr, "tributary-tunnel: {}\n", text); }

void print_addresses(const std::vector<std::string>& addresses, bool json) {
  if (json) {
    print_text(stdout, "{}\n", nlohmann::json{{"addresses", addresses}}.dump());
  } else {
    for (const std::string& address : addresses) print_text(stdout, "{}\n", address);
  }
  std::fflush(stdout);
}

void print_end(const TunnelClient& client, bool json) {
  const auto [dropped, sent_again] = client.packet_counts();
  if (json) {
    auto end = nlohmann::ordered_json::parse(to_json(client.carried()));
    end["packets"] = {{"dropped", dropped}, {"sent_again", sent_again}};
    return print_text(stdout, "{}\n", end.dump());
  }
  print_text(stdout, "{}", to_text(client.carried()));
  if (dropped > 0) print_text(stdout, "packets dropped here, as the links were full: {}\n", dropped);
  if (sent_again > 0) print_text(stdout, "packets sent again over another link: {}\n", sent_again);
}

/// What a tunnel that was killed has left.
int release(const std::string& device) {
  const bool lifted = ExclusiveRules::lift(device);
  NameServers::put_back(device);
  if (!lifted) throw std::runtime_error{"the rules of --exclusive could not be taken away (nft needs root)"};
  return 0;
}

std::vector<bonding::PeerAddress> addresses_of_relay(const RelayName& relay,
                                                     const std::optional<ExclusiveRules>& exclusive) {
  if (exclusive) {
    if (auto known = exclusive->known_addresses(relay.host, relay.port)) return *known;
  }
  return addresses_of(relay);
}

std::vector<std::string> texts_of(const std::vector<bonding::PeerAddress>& addresses) {
  std::vector<std::string> texts;
  for (const bonding::PeerAddress& address : addresses) texts.push_back(address_text(address));
  return texts;
}

int run(const TunnelOptions& options) {
  if (options.release) return release(options.device);
  const int stop_fd = stop_signal_fd();
  const bonding::ClientIdentity identity = read_client_key(options.key_file);
  keep_only(std::array{CAP_NET_ADMIN});
  std::optional<ExclusiveRules> exclusive;
  if (options.exclusive)
    exclusive.emplace(
        ExclusiveRules::Options{.device = options.device, .networks = options.networks, .local = options.local}, say);
  NameServers name_servers{options.device, options.dns};  // before a name is looked up
  const std::vector<bonding::PeerAddress> relay = addresses_of_relay(options.relay, exclusive);
  const std::vector<std::string> relay_texts = texts_of(relay);
  expect_links(options.expected, relay_texts);
  if (const std::string left_out = beside_vpn(options.links, relay_texts); !left_out.empty())
    print_text(stderr, "tributary-tunnel: {}\n", left_out);
  if (exclusive) exclusive->make(options.relay.host, relay);
  RealLinkCosts costs{options.terms, nullptr, say};
  costs.lead_to(relay_texts);
  const LinkCatalogue catalogue;
  const std::unique_ptr<LinkMonitor> monitor = catalogue.watch(relay_texts, options.links);
  TunnelClient client{
      {.relay = relay,
       .identity = identity,
       .bonding = options.bonding,
       .device = options.device,
       .networks = options.networks,
       .split = options.split,
       .way = [&](const std::string& link) { return catalogue.way(link, "udp://" + options.relay.host); },
       .terms = [&](const std::string& link) { return costs.terms_of(link); },
       .budget = &costs.budget(),
       .say = say,
       .connected =
           [&](const auto& addresses) {
             name_servers.use();
             print_addresses(addresses, options.json);
           }},
      *monitor};
  client.run(stop_fd);
  if (exclusive) exclusive->lift();
  print_end(client, options.json);
  return 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-tunnel", .other = status_after},
                     [&] { return run(parse_tunnel_command_line(argc, argv)); });
}
