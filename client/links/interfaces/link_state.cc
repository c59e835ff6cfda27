#include "links/interfaces/link_state.hh"

#include <algorithm>
#include <array>
#include <utility>

namespace tributary {
namespace {

constexpr std::string_view kInterfaceDown = "interface down";
constexpr std::string_view kNoCarrier = "no carrier";
constexpr std::string_view kNoAddress = "no address";

/// The event that removes an obstacle.
std::string_view remedy(std::string_view obstacle) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kRemedies{{
      {kInterfaceDown, "interface up"},
      {kNoCarrier, "carrier"},
      {kNoAddress, "address added"},
      {kLacksRoute, "route added"},
      {kBesideVpn, "the VPN has gone"},
  }};
  return std::ranges::find(kRemedies, obstacle, [](const auto& pair) { return pair.first; })->second;
}

bool disjoint(const std::set<std::string>& a, const std::set<std::string>& b) {
  return std::ranges::none_of(a, [&](const std::string& address) { return b.contains(address); });
}

/// The reason why no connection can have survived between two moments at which the link was usable; nothing: some can.
std::optional<std::string_view> broken_between(const LinkState& before, const LinkState& after) {
  if (before.interface_index != after.interface_index) return "device replaced";
  if (disjoint(before.ipv4.addresses, after.ipv4.addresses) && disjoint(before.ipv6.addresses, after.ipv6.addresses)) {
    return "address changed";
  }
  return std::nullopt;
}

LinkChangeNotice notice(const LinkState& link, bool usable, std::string_view why) {
  return {.link = link.info(), .usable = usable, .why = std::string{why}};
}

}  // namespace

LinkInfo LinkState::info() const {
  return {.name = name,
          .interface_index = interface_index,
          .role = role,
          .kind = kind,
          .has_ipv4 = ipv4.usable(),
          .has_ipv6 = ipv6.usable()};
}

std::optional<std::string_view> LinkState::obstacle() const {
  if (!up) return kInterfaceDown;
  if (!carrier) return kNoCarrier;
  if (ipv4.addresses.empty() && ipv6.addresses.empty()) return kNoAddress;
  if (!ipv4.usable() && !ipv6.usable()) return kLacksRoute;
  if (!beside_vpn.empty()) return kBesideVpn;
  return std::nullopt;
}

std::vector<LinkChangeNotice> changes_between(const LinkStates& before, const LinkStates& after) {
  std::vector<LinkChangeNotice> notices;
  for (const auto& [name, old] : before) {
    if (old.obstacle()) continue;
    const auto now = after.find(name);
    if (now == after.end()) {
      notices.push_back(notice(old, false, "device deleted"));
    } else if (const auto obstacle = now->second.obstacle()) {
      notices.push_back(notice(now->second, false, *obstacle));
    } else if (const auto broken = broken_between(old, now->second)) {
      notices.push_back(notice(old, false, *broken));
      notices.push_back(notice(now->second, true, *broken));
    }
  }
  for (const auto& [name, link] : after) {
    if (link.obstacle()) continue;
    const auto old = before.find(name);
    if (old == before.end()) {
      notices.push_back(notice(link, true, "device appeared"));
    } else if (const auto obstacle = old->second.obstacle()) {
      notices.push_back(notice(link, true, remedy(*obstacle)));
    }
  }
  return notices;
}

}  // namespace tributary
