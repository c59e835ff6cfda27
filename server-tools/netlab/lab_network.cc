#include "netlab/lab_network.hh"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "netlab/namespaces.hh"
#include "system/fed_command.hh"

namespace tributary {
namespace {

struct Side {
  int own, peer;        // the last number of the addresses
  std::string network;  // commands for the side as a whole
  bool has_default_route;
};

const Side kServer{
    .own = 1,
    .peer = 2,
    .network = "address add 198.51.100.1/32 dev lo\naddress add 2001:db8::1/128 dev lo nodad\n",
    .has_default_route = false,
};
const Side kClient{.own = 2, .peer = 1, .network = "", .has_default_route = true};

/// Sets a value in the namespace of the calling process.
void set_sysctl(const std::string& name, const char* value) {
  const std::string path = "/proc/sys/net/" + name;
  std::ofstream file{path};
  file << value << std::flush;
  if (!file) throw std::runtime_error("cannot write " + path);
}

void set_sysctls() {
  set_sysctl("ipv4/ip_unprivileged_port_start", "0");  // no port of a lab needs protection
  for (const std::string scope : {"all", "default"}) {
    set_sysctl("ipv4/conf/" + scope + "/rp_filter", "0");  // replies come over any link
    set_sysctl("ipv6/conf/" + scope + "/accept_ra", "0");  // autoconfiguration sends frames of its own
  }
}

std::string link_commands(const std::string& name, std::size_t i, const Side& side) {
  const auto mac = [&](int end) { return fmt::format("02:77:00:00:{:02x}:{:02x}", i, end); };
  const auto ipv4 = [&](int end) { return fmt::format("10.77.{}.{}", i, end); };
  const auto ipv6 = [&](int end) { return fmt::format("fd77:{:x}::{}", i, end); };
  // A long queue of the device, so that it is no limit: the emulator empties it at once.
  std::string commands = fmt::format(
      "link set dev {0} address {1} addrgenmode none txqueuelen 10000\n"
      "link set dev {0} up\n",
      name, mac(side.own));
  for (const auto& [address, peer, length, options] :
       {std::tuple{ipv4(side.own), ipv4(side.peer), 24, ""}, {ipv6(side.own), ipv6(side.peer), 64, " nodad"}}) {
    commands += fmt::format(
        "address add {1}/{2} dev {0}{3}\n"
        "neighbour add {4} lladdr {5} dev {0} nud permanent\n",
        name, address, length, options, peer, mac(side.peer));
    if (side.has_default_route) {
      commands += fmt::format("route add default via {} dev {} metric {}\n", peer, name, 100 + i);
    }
  }
  // TCP in a lab is CUBIC, so that a measurement means the same on every machine. A namespace may choose only among the
  // algorithms that its machine allows to all; a route may name any. The route locks it, because the kernel otherwise
  // sets the machine's preference on every further subflow of an MPTCP connection.
  commands += fmt::format(
      "route replace 10.77.{1}.0/24 dev {0} proto kernel scope link src {2} congctl lock cubic\n"
      "route replace fd77:{1:x}::/64 dev {0} proto kernel metric 256 congctl lock cubic\n",
      name, i, ipv4(side.own));
  return commands;
}

void run_ip(const std::string& commands) {
  if (!feed_command("ip -batch -", commands)) {
    throw std::runtime_error("the command ip (package iproute2) could not set up the network; it was told:\n" +
                             commands);
  }
}

/// Of links from number `first` on.
std::vector<VirtualDevice> make_side(const std::vector<std::string>& link_names, const Side& side,
                                     std::size_t first = 1) {
  set_sysctls();
  std::vector<VirtualDevice> devices;
  std::string commands = "link set dev lo up\n" + side.network;
  for (const std::string& name : link_names) {
    devices.emplace_back(name, VirtualDevice::Layer::kFrames, VirtualDevice::Offload::kChecksums);
    commands += link_commands(name, first++, side);
  }
  run_ip(commands);
  return devices;
}

/// In the server's namespace.
void make_nats(const LabLayout& layout) {
  std::string rules;
  for (std::size_t i = 0; i < layout.links.size(); ++i) {
    if (std::ranges::find(layout.with_nat, layout.links[i]) == layout.with_nat.end()) continue;
    rules += fmt::format("iifname \"{}\" meta l4proto {{ tcp, udp }} snat to 10.77.{}.200:20000-60000\n",
                         layout.links[i], i + 1);
  }
  if (rules.empty()) return;
  const std::string table =
      "table ip lab-nat { chain input {\ntype nat hook input priority 100; policy accept;\n" + rules + "}\n}\n";
  if (!feed_command("nft -f -", table))
    throw std::runtime_error("the command nft (package nftables) could not make the NAT; it was told:\n" + table);
}

/// Leaves the server's namespace for that of the origin.
void join_origin(const LabNetwork& network) {
  constexpr std::string_view kEnd =
      "address add 203.0.113.{1}/24 dev {0}\naddress add 2001:db8:1::{1}/64 dev {0} nodad\nlink set dev {0} up\n";
  run_ip(fmt::format("link add behind type veth peer name origin netns /proc/{}/fd/{}\n", ::getpid(),
                     network.origin_namespace.get()) +
         fmt::format(kEnd, "behind", 1));
  join_namespaces(network.user_namespace, network.origin_namespace);
  set_sysctls();
  run_ip("link set dev lo up\n" + fmt::format(kEnd, "origin", 2) +
         "route add default via 203.0.113.1 dev origin congctl lock cubic\n"
         "route add default via 2001:db8:1::1 dev origin congctl lock cubic\n");
}

std::string lan_network(std::size_t i) { return fmt::format("10.77.{}", 128 + i); }

/// In the server's namespace: to the client over its members.
void make_routes_to_lan(const std::vector<std::string>& links) {
  std::string commands;
  for (std::size_t i = 1; i <= links.size(); ++i)
    commands +=
        fmt::format("route add {}.0/24 via 10.77.{}.2 dev {} congctl lock cubic\n", lan_network(i), i, links[i - 1]);
  run_ip(commands);
}

/// Returns the devices of the links, each in a namespace of its member.
std::vector<VirtualDevice> make_members(const std::vector<std::string>& links, LabNetwork& network) {
  std::vector<VirtualDevice> devices;
  for (std::size_t i = 1; i <= links.size(); ++i) {
    enter_new_network_namespace();
    network.member_namespaces.push_back(open_network_namespace());
    devices.push_back(std::move(make_side({links[i - 1]}, kClient, i).front()));
    set_sysctl("ipv4/ip_forward", "1");
  }
  return devices;
}

/// In the client's namespace: the LAN, to which each member and the client are joined, the client once for each member.
void make_lan(const std::vector<std::string>& links, const LabNetwork& network) {
  std::string commands = "link set dev lo up\nlink add lan type bridge\nlink set dev lan up\n";
  for (std::size_t i = 1; i <= links.size(); ++i) {
    commands += fmt::format(
        "link add lan-{0} type veth peer name lan netns /proc/{1}/fd/{2}\n"
        "link set dev lan-{0} master lan up\n"
        "link add name {3} type veth peer name lan-own-{0}\n"
        "link set dev lan-own-{0} master lan up\n"
        "address add {4}.2/24 dev {3}\n"
        "link set dev {3} up\n"
        "route add default via {4}.1 dev {3} metric {5} congctl lock cubic\n",
        i, ::getpid(), network.member_namespaces[i - 1].get(), links[i - 1], lan_network(i), 100 + i);
  }
  run_ip(commands);
  for (std::size_t i = 1; i <= links.size(); ++i) {
    join_namespaces(network.user_namespace, network.member_namespaces[i - 1]);
    run_ip(fmt::format("address add {}.1/24 dev lan\nlink set dev lan up\n", lan_network(i)));
  }
  join_namespaces(network.user_namespace, network.client_namespace);
}

}  // namespace

LabNetwork make_lab_network(const LabLayout& layout) {
  LabNetwork network;
  enter_new_network_namespace();
  network.user_namespace = open_user_namespace();
  if (layout.origin) {
    network.origin_namespace = open_network_namespace();
    enter_new_network_namespace();
  }
  network.server_namespace = open_network_namespace();
  std::vector<VirtualDevice> server = make_side(layout.links, kServer);
  make_nats(layout);
  if (layout.members) make_routes_to_lan(layout.links);
  if (layout.origin) join_origin(network);
  std::vector<VirtualDevice> client;
  if (layout.members) client = make_members(layout.links, network);
  enter_new_network_namespace();
  network.client_namespace = open_network_namespace();
  if (layout.members) {
    set_sysctls();
    make_lan(layout.links, network);
  } else {
    client = make_side(layout.links, kClient);
  }
  for (std::size_t i = 0; i < layout.links.size(); ++i) {
    network.links.push_back({.client = std::move(client[i]), .server = std::move(server[i])});
  }
  return network;
}

}  // namespace tributary
