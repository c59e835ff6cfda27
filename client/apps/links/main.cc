#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>

#include "command_line/program_end.hh"
#include "link_check/borrowing.hh"
#include "link_check/checked_object.hh"
#include "link_check/link_entry.hh"
#include "link_check/links_options.hh"
#include "link_check/links_report.hh"
#include "link_check/set_up/set_up_program.hh"
#include "links/interfaces/link_details.hh"
#include "links/interfaces/link_snapshot.hh"
#include "memory/network_memory.hh"
#include "program/network_manager.hh"
#include "program/options/forget_networks.hh"
#include "program/real_link_costs.hh"
#include "transport/connections/address_guard.hh"
#include "transport/connections/address_lookup.hh"
#include "transport/connections/origin_addresses.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

constexpr int kLinkFails = 1, kNamedLinkFails = 3, kAddressRefused = 4;

int status_after(const std::exception& error) {
  return dynamic_cast<const NamedLinksUnusable*>(&error) != nullptr ? kNamedLinkFails : 1;
}

std::vector<std::string> origin_addresses(const std::optional<std::string>& url) {
  return url ? transport::resolve(transport::parse_url(*url).origin) : kAnywhere;
}

/// Obstacles are no reason to throw: telling them is what the program is for.
void expect_that_links_exist(NamedLinks named) {
  std::ranges::move(named.usable, std::back_inserter(named.existing));
  named.usable.clear();
  expect_links(named);
}

std::vector<LinkEntry> list(const LinksOptions& options, const std::vector<std::string>& addresses,
                            const NetworkManager& manager) {
  const LinkSnapshot snapshot{addresses};
  const auto memory =
      link_memory(addresses, [](const std::string& text) { print_text(stderr, "tributary-links: {}\n", text); });
  LinkStates states = snapshot.take();
  std::vector<LinkEntry> links;
  const auto add = [&](const LinkState& state) {
    LinkEntry entry;
    entry.state = state;
    entry.driver = driver_of(state.name);
    entry.metered = manager.metered(state.name);
    entry.strict_reverse_path = filters_reverse_path(state.name);
    if (memory) entry.remembered = memory->recall(memory->network_of(state.name));
    links.push_back(std::move(entry));
  };
  const auto concerns = [&](const LinkState& state) {
    if (snapshot.origin_is_loopback()) return state.role == LinkRole::kLoopback;
    return state.role != LinkRole::kLoopback && (state.up || state.role != LinkRole::kVirtual);
  };
  for (const auto& [name, state] : states) {
    if (options.links.empty() && concerns(state)) add(state);
  }
  for (const std::string& name : options.links) {
    if (const auto state = states.find(name); state != states.end()) add(state->second);
  }
  return links;
}

/// The file to be asked for over each link.
std::string object_over(const std::vector<LinkEntry>& links, const LinksOptions& options,
                        const std::shared_ptr<transport::AddressGuard>& guard) {
  std::vector<std::string> usable;
  for (const LinkEntry& link : links) {
    if (!link.state.obstacle()) usable.push_back(link.state.name);
  }
  transport::LinkRules rules = options.rules;
  rules.guard = guard;
  rules.connect_timeout = kProbeConnectPatience;
  return object_to_check(*options.check, usable, rules);
}

void check(std::vector<LinkEntry>& links, const std::string& url, const LinksOptions& options,
           const std::shared_ptr<transport::AddressGuard>& guard) {
  for (LinkEntry& link : links) {
    if (link.state.obstacle()) continue;
    std::vector<std::string> others;
    for (const LinkEntry& other : links) {
      if (other.state.name != link.state.name) others.push_back(other.state.name);
    }
    transport::LinkRules rules = options.rules.over(link.state.name);
    rules.guard = guard;
    link.probe = probe_link({url, std::move(rules), options.sample, others});
  }
}

SetUpOptions set_up_options(const LinksOptions& options) {
  return {.links = options.links,
          .fixed = options.addresses.empty() ? FixedAddresses{} : read_fixed_addresses(options.addresses),
          .json = options.json};
}

int run(const LinksOptions& options) {
  if (options.forget) {
    forget_networks(stdout);
    return 0;
  }
  if (options.borrow) return borrow(*options.borrow, options.code);
  if (options.list_lenders) {
    list_lenders(options.json);
    return 0;
  }
  if (options.give_back) {
    give_back(*options.give_back);
    return 0;
  }
  if (options.set_up && options.apply) {
    set_up(set_up_options(options));
    return 0;
  }
  expect_that_links_exist(options.expected);
  if (options.set_up) {
    print_text(stdout, set_up_commands(set_up_options(options)));
    return 0;
  }
  const NetworkManager manager;
  CheckedOrigin origin{options.check, origin_addresses(options.check)};
  std::vector<LinkEntry> links = list(options, origin.addresses, manager);
  if (options.check) {
    const auto guard = std::make_shared<transport::AddressGuard>(*options.check);
    const std::string object = object_over(links, options, guard);
    if (object != *options.check) {
      print_text(stderr, "tributary-links: measures with {}, where the largest segment of the highest quality is\n",
                 redacted(object));
      origin = {object, origin_addresses(object)};  // which may be another origin
      links = list(options, origin.addresses, manager);
    }
    check(links, object, options, guard);
  }
  const auto address_problem = diagnose(links, origin, manager.runs());
  print_text(stdout, options.json ? links_json(links, address_problem) : links_table(links, address_problem));
  if (!options.check) return 0;
  const auto named = [&](const LinkEntry& link) {
    return link.diagnosis && std::ranges::count(options.expected.usable, link.state.name) > 0;
  };
  // A link that is not plugged in was not checked, and is no fault unless --link names it.
  const auto wrong = [](const LinkEntry& link) { return link.diagnosis && link.probe; };
  const auto checked = [](const LinkEntry& link) { return link.probe.has_value(); };
  if (std::ranges::any_of(links, named)) return kNamedLinkFails;
  if (std::ranges::any_of(links, wrong) || std::ranges::none_of(links, checked)) return kLinkFails;
  return address_problem ? kAddressRefused : 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-links", .other = status_after},
                     [&] { return run(parse_links_command_line(argc, argv)); });
}
