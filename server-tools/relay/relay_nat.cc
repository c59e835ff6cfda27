#include "relay/relay_nat.hh"

#include <fmt/format.h>
#include <net/if.h>

#include <sstream>
#include <stdexcept>
#include <string_view>

#include "system/fed_command.hh"

namespace tributary {
namespace {

constexpr std::string_view kPrefix = "tributary_relay_";

std::string remove(const std::string& table) {
  // Only what is there can be deleted, and to add it twice does no harm.
  return fmt::format("add table inet {0}\ndelete table inet {0}\n", table);
}

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

}  // namespace

RelayNat::RelayNat(const std::string& device, const std::vector<std::string>& networks) : table_{table_of(device)} {
  std::string rules;
  for (const std::string& other : devices_with_tables()) {
    if (::if_nametoindex(other.c_str()) == 0) rules += remove(table_of(other));
  }
  rules += remove(table_);
  rules += fmt::format("table inet {} {{\n", table_);
  rules += fmt::format(
      "  chain forward {{\n    type filter hook forward priority filter; policy accept;\n"
      "    iifname \"{0}\" oifname \"{0}\" drop\n"
      "    oifname \"{0}\" tcp flags syn tcp option maxseg size set rt mtu\n"
      "    iifname \"{0}\" tcp flags syn tcp option maxseg size set rt mtu\n  }}\n",
      device);
  rules += "  chain postrouting {\n    type nat hook postrouting priority srcnat; policy accept;\n";
  for (const std::string& network : networks) {
    rules += fmt::format("    {} saddr {} oifname != \"{}\" masquerade\n",
                         network.find(':') == std::string::npos ? "ip" : "ip6", network, device);
  }
  rules += "  }\n}\n";
  if (!feed_command("nft -f -", rules))
    throw std::runtime_error{"the command nft (package nftables) could not set the rules up; --no-nat does without"};
}

RelayNat::~RelayNat() { feed_command("nft -f -", remove(table_)); }

}  // namespace tributary
