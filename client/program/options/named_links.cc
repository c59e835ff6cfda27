#include "program/options/named_links.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ranges>

#include "links/interfaces/link_snapshot.hh"
#include "links/interfaces/network_name.hh"

namespace tributary {
namespace {

std::string no_such_link(const LinkStates& links) {
  return fmt::format("there is no such link; this machine has {}", fmt::join(std::views::keys(links), ", "));
}

std::optional<std::string> obstacle_of(const std::string& name, const LinkStates& links, bool with_route) {
  const auto link = links.find(name);
  if (link == links.end()) return no_such_link(links);
  const auto obstacle = link->second.obstacle();
  if (!obstacle || *obstacle == kBesideVpn || (!with_route && *obstacle == kLacksRoute)) return std::nullopt;
  return std::string{*obstacle};
}

void expect(const NamedLinks& named, const std::vector<std::string>& addresses, bool with_route) {
  if (named.usable.empty() && named.existing.empty()) return;
  const LinkStates links = LinkSnapshot{addresses}.take();
  std::string problems;
  for (const std::string& name : named.usable) {
    if (const auto obstacle = obstacle_of(name, links, with_route))
      problems += fmt::format("\n  {}: {}", name, *obstacle);
  }
  for (const std::string& name : named.existing) {
    if (!links.contains(name)) problems += fmt::format("\n  {}: {}", name, no_such_link(links));
  }
  if (problems.empty()) return;
  throw NamedLinksUnusable{fmt::format(
      "links that --link names cannot be used:{}\ntributary-links tells more of each; --link-optional NAME begins "
      "without it",
      problems)};
}

}  // namespace

void expect_links(const NamedLinks& named, const std::vector<std::string>& origin_addresses) {
  expect(named, origin_addresses, true);
}

std::string beside_vpn(const std::vector<std::string>& only, const std::vector<std::string>& origin_addresses) {
  if (!only.empty()) return "";
  std::vector<std::string> left_out;
  std::string vpn;
  for (const auto& [name, link] : LinkSnapshot{origin_addresses}.take()) {
    if (link.obstacle() != kBesideVpn) continue;
    vpn = link.beside_vpn;
    left_out.push_back(name);
  }
  if (left_out.empty()) return "";
  return fmt::format(
      "the VPN {} leads all traffic, and {} is not used beside it (--link NAME uses a link all the same)", vpn,
      fmt::join(left_out, ", "));
}

void expect_links(const NamedLinks& named) { expect(named, kAnywhere, false); }

}  // namespace tributary
