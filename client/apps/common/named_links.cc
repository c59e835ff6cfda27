#include "apps/common/named_links.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <ranges>

#include "links/link_snapshot.hh"
#include "links/network_name.hh"

namespace tributary {
namespace {

std::string no_such_link(const LinkStates& links) {
  return fmt::format("there is no such link; this machine has {}", fmt::join(std::views::keys(links), ", "));
}

std::optional<std::string> obstacle_of(const std::string& name, const LinkStates& links, bool with_route) {
  const auto link = links.find(name);
  if (link == links.end()) return no_such_link(links);
  const auto obstacle = link->second.obstacle();
  if (!obstacle || (!with_route && *obstacle == kNoRoute)) return std::nullopt;
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

void expect_links(const NamedLinks& named) { expect(named, kAnywhere, false); }

}  // namespace tributary
