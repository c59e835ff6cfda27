#include "relay/relay_nat.hh"

#include <fmt/format.h>
#include <net/if.h>

#include <sstream>
#include <string_view>

#include "system/fed_command.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

constexpr std::string_view kPrefix = "tributary_relay_";

/// The devices of which relays have tables.
std::vector<std::string> devices_with_tables() {
  std::vector<std::string> devices;
  std::istringstream words{output_of_command("nft list tables inet")};
  for (std::string word; words >> word;) {
    if (word.starts_with(kPrefix)) devices.push_back(word.substr(kPrefix.size()));
  }
  return devices;
}

std::string table_of(const std::string& device) { return std::string{kPrefix} + device; }

/// Rules of relays that were killed.
void remove_old_tables() {
  std::string rules;
  for (const std::string& device : devices_with_tables()) {
    if (::if_nametoindex(device.c_str()) == 0) rules += NftTable::removal_of(table_of(device));
  }
  if (!rules.empty()) feed_command("nft -f -", rules);
}

std::string_view family_of(const std::string& network) { return is_ipv6(network) ? "ip6" : "ip"; }

/// Others could send packets through this machine as soon as it forwards any.
std::string guard_of(std::string_view protocol) {
  return fmt::format("    meta nfproto {0} iifgroup != {1} oifgroup != {1} drop\n", protocol, RelayNat::kGroup);
}

std::string chains_of(const RelayNat::Options& options) {
  std::string chains = "  chain forward {\n    type filter hook forward priority filter; policy accept;\n";
  if (options.guards_ipv4) chains += guard_of("ipv4");
  if (options.guards_ipv6) chains += guard_of("ipv6");
  for (const std::string& network : options.refused)
    chains += fmt::format("    iifname \"{}\" {} daddr {} drop\n", options.device, family_of(network), network);
  chains += fmt::format(
      "    iifname \"{0}\" oifname \"{0}\" drop\n"
      "    oifname \"{0}\" tcp flags syn tcp option maxseg size set rt mtu\n"
      "    iifname \"{0}\" tcp flags syn tcp option maxseg size set rt mtu\n  }}\n",
      options.device);
  chains += "  chain postrouting {\n    type nat hook postrouting priority srcnat; policy accept;\n";
  for (const std::string& network : options.networks) {
    chains +=
        fmt::format("    {} saddr {} oifname != \"{}\" masquerade\n", family_of(network), network, options.device);
  }
  return chains + "  }\n";
}

}  // namespace

RelayNat::RelayNat(const Options& options)
    : table_{(remove_old_tables(), table_of(options.device)), chains_of(options), "--no-nat does without"} {}

}  // namespace tributary
