#include "splitter/led_packets.hh"

#include <fmt/format.h>
#include <net/if.h>

#include <fstream>
#include <stdexcept>
#include <utility>

#include "system/fed_command.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

constexpr int kPriority = 29299;     // before the tables of the machine
constexpr unsigned kTables = 30000;  // the table of a device has this number and that of the device

void expect_forwarding(bool ipv6) {
  const std::string setting = ipv6 ? "ipv6/conf/all/forwarding" : "ipv4/ip_forward";
  std::ifstream file{"/proc/sys/net/" + setting};
  int value = 0;
  file >> value;
  if (value == 0)
    throw std::runtime_error{
        fmt::format("this machine forwards no packets (/proc/sys/net/{0} is 0): turn it on, as in sysctl -w "
                    "net/{0}=1",
                    setting)};
}

/// `ip` is told to go on after an error, and prints none.
void try_each(const std::vector<std::string>& rules, const std::string& family) {
  std::string commands;
  for (const std::string& rule : rules) commands += "rule delete " + rule + "\n";
  feed_command(fmt::format("ip {} -force -batch - 2>/dev/null", family), commands);
}

std::string family_of(const std::string& network) { return is_ipv6(network) ? "-6" : "-4"; }

}  // namespace

LedPackets::LedPackets(Ways ways) : ways_{std::move(ways)} {
  expect_forwarding(is_ipv6(ways_.receivers));
  const std::string family = family_of(ways_.receivers);
  try_each(rules(), family);
  const unsigned table = kTables + ::if_nametoindex(ways_.device.c_str());
  std::string commands = fmt::format("route add default dev {} table {}\n", ways_.device, table);
  for (const std::string& rule : rules()) commands += fmt::format("rule add {} lookup {}\n", rule, table);
  if (feed_command(fmt::format("ip {} -batch -", family), commands)) return;
  try_each(rules(), family);
  throw std::runtime_error{"the command ip (package iproute2) could not lead packets to the device; it was told:\n" +
                           commands};
}

LedPackets::~LedPackets() { try_each(rules(), family_of(ways_.receivers)); }

/// Without the table: so the rules of a device that is gone can be found.
std::vector<std::string> LedPackets::rules() const {
  std::vector<std::string> rules{fmt::format("priority {} iif {} to {}", kPriority, ways_.senders, ways_.receivers)};
  for (const std::string& link : ways_.links)
    rules.push_back(fmt::format("priority {} iif {} from {}", kPriority, link, ways_.receivers));
  return rules;
}

}  // namespace tributary
