#include "tunnel/exclusive/exclusive_rules.hh"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>
#include <utility>

#include "system/fed_command.hh"
#include "tunnel/machine/nft_table.hh"
#include "tunnel/machine/relay_address.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

using bonding::PeerAddress;

constexpr const char* kProgram = "tributary-tunnel";

std::string table_of(const std::string& device) { return "tributary_exclusive_" + device; }
std::string record_of(const std::string& device) { return "exclusive-" + device; }

/// Addresses by DHCP, and the neighbours of IPv6; those of IPv4 are found by packets that no rule of "inet" sees.
constexpr const char* kNeedsOfLinks =
    "    udp sport 68 udp dport 67 accept\n    udp sport 546 udp dport 547 accept\n"
    "    icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert, mld-listener-report, "
    "mld-listener-done, mld2-listener-report } accept\n";

// Whoever gives a link its address says which addresses are near, so that these are named. A name server among them would
// hear of all that is looked up (ports 53 and 853).
constexpr const char* kLocal =
    "  chain local {\n    meta l4proto { tcp, udp } th dport { 53, 853 } return\n"
    "    ip daddr { 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, 169.254.0.0/16, 224.0.0.0/4, 255.255.255.255 } accept\n"
    "    ip6 daddr { fc00::/7, fe80::/10, ff00::/8 } accept\n  }\n";

std::string of_network(const std::string& network) {
  if (network.ends_with("/0")) return is_ipv6(network) ? "meta nfproto ipv6" : "meta nfproto ipv4";
  return fmt::format("{} daddr {}", is_ipv6(network) ? "ip6" : "ip", network);
}

/// What is sent here, and what is led through this machine, as from containers.
std::string chains_of(const ExclusiveRules::Options& options, std::span<const PeerAddress> relay) {
  const std::string to_local = options.local ? "    jump local\n" : "";
  std::string refusals;
  for (const std::string& network : options.networks)
    refusals += fmt::format("    {} reject with icmpx type admin-prohibited\n", of_network(network));
  std::string chains = options.local ? kLocal : "";
  chains += fmt::format(
      "  chain output {{\n    type filter hook output priority filter; policy accept;\n"
      "    oifname {{ \"lo\", \"{}\" }} accept\n",
      options.device);
  for (const PeerAddress& address : relay)
    chains += fmt::format("    {} daddr {} meta l4proto {{ tcp, udp }} th dport {} accept\n",
                          is_ipv4(address) ? "ip" : "ip6", address_text(address), address.port);
  chains += kNeedsOfLinks + to_local + refusals + "  }\n";
  return chains + fmt::format(
                      "  chain forward {{\n    type filter hook forward priority filter; policy accept;\n"
                      "    iifname \"{0}\" accept\n    oifname \"{0}\" accept\n{1}{2}  }}\n",
                      options.device, to_local, refusals);
}

}  // namespace

ExclusiveRules::ExclusiveRules(Options options, std::function<void(const std::string& text)> say)
    : options_{std::move(options)}, say_{std::move(say)}, record_{kProgram, record_of(options_.device)} {
  if (!record_.take_alone()) throw std::runtime_error{options_.device + ": another tunnel has this device"};
  stand_ = !record_.contents().empty();
}

ExclusiveRules::~ExclusiveRules() {
  if (stand_)
    say_("nothing leaves this machine beside the tunnel until it runs again and is ended: --release lifts that");
}

std::optional<std::vector<PeerAddress>> ExclusiveRules::known_addresses(const std::string& host,
                                                                        std::uint16_t port) const {
  std::istringstream words{record_.contents()};
  std::string word;
  if (!(words >> word) || word != host) return std::nullopt;
  std::vector<PeerAddress> known;
  while (words >> word) known.push_back(addresses_of({.host = word, .port = port}).at(0));
  return known;
}

void ExclusiveRules::make(const std::string& host, std::span<const PeerAddress> relay) {
  std::string known = host;
  for (const PeerAddress& address : relay) known += " " + address_text(address);
  record_.write(known + "\n");
  try {
    NftTable::make(table_of(options_.device), chains_of(options_, relay), "without --exclusive none are needed");
  } catch (...) {
    if (!stand_) record_.clear();
    throw;
  }
  stand_ = true;
}

void ExclusiveRules::lift() {
  if (!feed_command("nft -f -", NftTable::removal_of(table_of(options_.device)))) return;
  record_.remove();
  stand_ = false;
}

bool ExclusiveRules::lift(const std::string& device) {
  NamespaceRecord record{kProgram, record_of(device)};
  if (!feed_command("nft -f -", NftTable::removal_of(table_of(device)))) return false;
  record.clear();
  if (record.take_alone()) record.remove();
  return true;
}

}  // namespace tributary
