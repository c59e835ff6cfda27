#include "link_check/set_up/wanted_steps.hh"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "system/fed_command.hh"
#include "system/share_folder.hh"
#include "units/text/ip_address.hh"

namespace tributary {
namespace {

// Behind those that NetworkManager, systemd-networkd and dhcpcd give to links (100 to 3000, and 20000 more for one that does not
// lead to the internet).
constexpr unsigned kRouteMetric = 30'000;
// The route in the table of a link comes last, so that another route tells which router the link has.
constexpr unsigned kTableMetric = 40'000;
constexpr unsigned kTables = 7'117'000;
// Before the rules of the main table (32766).
constexpr const char* kPriority = "7117";
constexpr const char* kAddressToCome = "ADDRESS";
constexpr const char* kNetworkToCome = "NETWORK";
constexpr const char* kRouterToCome = "ROUTER";
// Neighbours by the addresses that hold on one link only: the default route of a table would send theirs to the router.
constexpr const char* kLinkLocal = "fe80::/64";

Command words(std::initializer_list<std::string> parts) {
  Command command;
  for (const std::string& part : parts) {
    if (!part.empty()) command.push_back(part);
  }
  return command;
}

class Steps {
 public:
  Steps(const LinkToSetUp& link, const std::vector<SetUpStep>& taken)
      : link_{link}, taken_{taken}, name_{link.state.name}, index_{link.state.interface_index} {}

  std::vector<SetUpStep> all() {
    if (!link_.managed) {
      want_if(!link_.state.up,
              {.command = {"ip", "link", "set", name_, "up"}, .undo = {"ip", "link", "set", name_, "down"}});
      if (link_.state.carrier) give_addresses();
    }
    give_table(link_.state.ipv4, "");
    give_table(link_.state.ipv6, "-6");
    want_if(link_.strict_reverse_path, {.command = reverse_path("2"), .undo = reverse_path(link_.reverse_path)});
    return std::move(wanted_);
  }

 private:
  Command reverse_path(const std::string& value) const {
    return {"sysctl", "-q", "-w", fmt::format("net/ipv4/conf/{}/rp_filter={}", name_, value)};
  }

  /// A taken step stays wanted, though the link needs it no more. Its undoing is kept as well: it brings back what the step found.
  void want_if(bool needed, SetUpStep step) {
    const auto before = std::ranges::find(taken_, step.command, &SetUpStep::command);
    if (before != taken_.end())
      wanted_.push_back(*before);
    else if (needed)
      wanted_.push_back(std::move(step));
  }

  /// `family`: "-6" or nothing.
  void add_if(bool needed, const std::string& family, const std::string& what, const Command& rest,
              bool goes_with_link = true) {
    SetUpStep step{.command = words({"ip", family, what, "add"}),
                   .undo = words({"ip", family, what, "del"}),
                   .goes_with_link = goes_with_link};
    for (Command* command : {&step.command, &step.undo}) command->insert(command->end(), rest.begin(), rest.end());
    want_if(needed, std::move(step));
  }

  std::string metric() const { return std::to_string(kRouteMetric + index_); }

  void give_addresses() {
    if (link_.fixed) {
      for (const std::string& address : link_.fixed->addresses)
        add_if(!family(address).addresses.contains(address), family_of(address), "address", {address, "dev", name_});
      for (const std::string& router : link_.fixed->routers)
        add_if(family(router).gateway.empty(), family_of(router), "route",
               {"default", "via", router, "dev", name_, "metric", metric()});
      return;
    }
    // The one that runs goes on, whatever it asked for.
    if (const auto asks = std::ranges::find(taken_, true, &SetUpStep::runs_on); asks != taken_.end())
      wanted_.push_back(*asks);
    else if (link_.state.ipv4.addresses.empty())
      wanted_.push_back({.command = dhcp(), .runs_on = true});
  }

  Command dhcp() const {
    Command command{"env", "IF_METRIC=" + metric(), "udhcpc", "-i", name_, "-f", "-R", "-t", "5", "-T", "2", "-A", "5"};
    if (link_.last_address) command.insert(command.end(), {"-r", *link_.last_address});
    command.insert(command.end(), {"-s", share_folder() / "tributary/dhcp-address"});
    return command;
  }

  const LinkState::Family& family(const std::string& address) const {
    return is_ipv6(address) ? link_.state.ipv6 : link_.state.ipv4;
  }
  static std::string family_of(const std::string& address) { return is_ipv6(address) ? "-6" : ""; }

  /// `version`: that of IP, "-6" or nothing.
  ///
  /// IPv6: several addresses share a network, and those for privacy come and go. Each has its rule as long as it is there,
  /// deprecated ones as well, for the sake of connections that use them. The routes name no source, so that the system chooses
  /// none that is deprecated.
  void give_table(const LinkState::Family& family, const std::string& version) {
    if (family.addresses.empty() || family.gateway.empty()) return;
    const bool names_source = version.empty();
    const std::string table = std::to_string(kTables + index_);
    std::set<std::string> networks;
    for (const std::string& address : family.addresses) {
      const std::string source = address.substr(0, address.find('/'));
      const std::string network = network_of(address);
      if (!network.empty() && networks.insert(network).second)
        add_if(true, version, "route",
               words({network, "dev", name_, names_source ? "src" : "", names_source ? source : "", "table", table}));
      add_if(true, version, "rule", {"from", source, "lookup", table, "priority", kPriority}, false);
    }
    if (version == "-6") add_if(true, version, "route", {kLinkLocal, "dev", name_, "table", table});
    add_if(true, version, "route",
           {"default", "via", family.gateway, "dev", name_, "table", table, "metric", std::to_string(kTableMetric)});
    add_if(true, version, "rule", {"oif", name_, "lookup", table, "priority", kPriority}, false);
  }

  /// Empty: the address is alone in its network, and is written without the length of that.
  static std::string network_of(const std::string& address) {
    if (address == kAddressToCome) return kNetworkToCome;
    return address.find('/') == std::string::npos ? "" : IpNetwork::from(address).text();
  }

  const LinkToSetUp& link_;
  const std::vector<SetUpStep>& taken_;
  const std::string& name_;
  const unsigned index_;
  std::vector<SetUpStep> wanted_;
};

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view{"-_./:=+,@%"}.find(c) != std::string_view::npos;
}

}  // namespace

std::string command_text(const Command& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    text += !word.empty() && std::ranges::all_of(word, is_plain) ? word : shell_quoted(word);
  }
  return text;
}

std::vector<SetUpStep> wanted_steps(const LinkToSetUp& link, const std::vector<SetUpStep>& taken) {
  return Steps{link, taken}.all();
}

void foresee(LinkToSetUp& link, const SetUpStep& step) {
  const Command& command = step.command;
  const auto begins = [&](const Command& start) {
    return command.size() >= start.size() && std::equal(start.begin(), start.end(), command.begin());
  };
  const auto about = [&](const char* what) { return begins({"ip", what}) || begins({"ip", "-6", what}); };
  LinkState::Family& family = begins({"ip", "-6"}) ? link.state.ipv6 : link.state.ipv4;
  const auto after = [&](const std::string& word) { return *std::next(std::ranges::find(command, word)); };
  if (begins({"ip", "link"})) {
    link.state.up = link.state.carrier = true;
  } else if (step.runs_on) {
    family.addresses = {kAddressToCome};
    family.gateway = kRouterToCome;
  } else if (about("address")) {
    family.addresses.insert(after("add"));
  } else if (about("route") && after("add") == "default") {
    family.gateway = after("via");
  }
}

}  // namespace tributary
