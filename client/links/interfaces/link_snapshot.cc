#include "links/interfaces/link_snapshot.hh"

#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_addr.h>
#include <linux/if_arp.h>
#include <linux/rtnetlink.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/route.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "links/interfaces/leading_vpn.hh"
#include "links/interfaces/link_kind.hh"
#include "links/interfaces/link_name.hh"
#include "links/interfaces/route_lookup.hh"
#include "units/text/host.hh"

namespace tributary {
namespace {

struct NlCacheDeleter {
  void operator()(nl_cache* cache) const { nl_cache_free(cache); }
};
using NlCache = std::unique_ptr<nl_cache, NlCacheDeleter>;

void check(int code, std::string_view what) {
  if (code < 0) throw std::runtime_error{fmt::format("rtnetlink: {}: {}", what, nl_geterror(code))};
}

/// Calls `allocate(&cache)`, again if the tables changed during the dump.
template <typename Allocate>
NlCache dump(std::string_view what, Allocate allocate) {
  constexpr int kAttempts = 20;
  int code = 0;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    nl_cache* cache = nullptr;
    code = allocate(&cache);
    if (code >= 0) return NlCache{cache};
    if (code != -NLE_DUMP_INTR) break;
  }
  check(code, what);
  return {};
}

/// Calls `visit` with each object of the cache, as Object*.
template <typename Object, typename Visit>
void for_each(const NlCache& cache, Visit visit) {
  for (nl_object* object = nl_cache_get_first(cache.get()); object != nullptr; object = nl_cache_get_next(object)) {
    visit(reinterpret_cast<Object*>(object));
  }
}

std::string text(const nl_addr* address) {
  std::array<char, 64> buffer{};
  return nl_addr2str(address, buffer.data(), buffer.size());
}

bool is_loopback(const nl_addr* address) {
  const auto* bytes = static_cast<const unsigned char*>(nl_addr_get_binary_addr(address));
  if (nl_addr_get_family(address) == AF_INET) return bytes[0] == 127;
  return std::all_of(bytes, bytes + 15, [](unsigned char byte) { return byte == 0; }) && bytes[15] == 1;
}

LinkState::Family& family_of(LinkState& link, int family) { return family == AF_INET ? link.ipv4 : link.ipv6; }

bool covers(const nl_addr* prefix, const nl_addr* address) {
  return nl_addr_get_family(prefix) == nl_addr_get_family(address) &&
         (nl_addr_get_prefixlen(prefix) == 0 || nl_addr_cmp_prefix(prefix, address) == 0);
}

LinkRole role_of(rtnl_link* link, std::string_view guessed) {
  if (rtnl_link_get_arptype(link) == ARPHRD_LOOPBACK) return LinkRole::kLoopback;
  const char* alias = rtnl_link_get_ifalias(link);
  if (alias != nullptr && std::string_view{alias} == kTunnelAlias) return LinkRole::kOwnTunnel;
  return guessed == "virtual" ? LinkRole::kVirtual : LinkRole::kUplink;
}

LinkState describe(rtnl_link* link) {
  const unsigned flags = rtnl_link_get_flags(link);
  const std::string name = rtnl_link_get_name(link);
  const std::string guessed = guess_link_kind(name);
  const LinkRole role = role_of(link, guessed);
  return {.name = name,
          .interface_index = static_cast<unsigned>(rtnl_link_get_ifindex(link)),
          .role = role,
          .kind = role == LinkRole::kLoopback    ? "loopback"
                  : role == LinkRole::kOwnTunnel ? "tunnel"
                                                 : guessed,
          .up = (flags & IFF_UP) != 0,
          .carrier = (flags & IFF_LOWER_UP) != 0,
          .ipv4 = {},
          .ipv6 = {},
          .is_vpn = role == LinkRole::kVirtual && is_of_tunnel(link),
          .beside_vpn = {}};
}

using Origin = std::vector<NlAddress>;

/// 169.254.0.0/16, fe80::/10: on the link itself.
bool is_link_local(const nl_addr* address) {
  const auto* bytes = static_cast<const unsigned char*>(nl_addr_get_binary_addr(address));
  if (nl_addr_get_family(address) == AF_INET) return bytes[0] == 169 && bytes[1] == 254;
  return bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
}

/// An address of the link itself is a source towards such addresses only.
bool can_be_source(rtnl_addr* address, const LinkState& link, const Origin& origin) {
  if (rtnl_addr_get_flags(address) & (IFA_F_TENTATIVE | IFA_F_DADFAILED)) return false;
  const int scope = rtnl_addr_get_scope(address), family = nl_addr_get_family(rtnl_addr_get_local(address));
  return std::ranges::any_of(origin, [&](const NlAddress& target) {
    if (nl_addr_get_family(target.get()) != family) return false;
    return scope == RT_SCOPE_UNIVERSE || link.role == LinkRole::kLoopback ||
           (scope == RT_SCOPE_LINK && is_link_local(target.get()));
  });
}

using LinksByIndex = std::map<int, LinkState>;

LinksByIndex list_links(nl_sock* socket) {
  const NlCache links =
      dump("list interfaces", [&](auto** cache) { return rtnl_link_alloc_cache(socket, AF_UNSPEC, cache); });
  LinksByIndex by_index;
  for_each<rtnl_link>(links, [&](rtnl_link* link) { by_index[rtnl_link_get_ifindex(link)] = describe(link); });
  return by_index;
}

void add_addresses(nl_sock* socket, const Origin& origin, LinksByIndex& links) {
  const NlCache addresses = dump("list addresses", [&](auto** cache) { return rtnl_addr_alloc_cache(socket, cache); });
  for_each<rtnl_addr>(addresses, [&](rtnl_addr* address) {
    const auto link = links.find(rtnl_addr_get_ifindex(address));
    if (link == links.end() || !can_be_source(address, link->second, origin)) return;
    const nl_addr* local = rtnl_addr_get_local(address);
    family_of(link->second, nl_addr_get_family(local)).addresses.insert(text(local));
  });
}

/// If the route leads to the target, notes it with the links that it leaves through.
void add_route(rtnl_route* route, const nl_addr* target, LinksByIndex& links) {
  const bool local = is_loopback(target);
  if (!covers(rtnl_route_get_dst(route), target)) return;
  if (rtnl_route_get_type(route) != (local ? RTN_LOCAL : RTN_UNICAST)) return;
  for (int i = 0; i < rtnl_route_get_nnexthops(route); ++i) {
    rtnl_nexthop* hop = rtnl_route_nexthop_n(route, i);
    const auto link = links.find(rtnl_route_nh_get_ifindex(hop));
    if (link == links.end() || local != (link->second.role == LinkRole::kLoopback)) continue;
    LinkState::Family& family = family_of(link->second, nl_addr_get_family(target));
    const std::uint32_t metric = rtnl_route_get_priority(route);
    if (family.has_route && metric >= family.metric) continue;
    const nl_addr* gateway = rtnl_route_nh_get_gateway(hop);
    family.has_route = true;
    family.metric = metric;
    family.gateway = gateway != nullptr ? text(gateway) : "";
  }
}

void add_routes(nl_sock* socket, const Origin& origin, LinksByIndex& links) {
  const NlCache routes =
      dump("list routes", [&](auto** cache) { return rtnl_route_alloc_cache(socket, AF_UNSPEC, 0, cache); });
  for_each<rtnl_route>(routes, [&](rtnl_route* route) {
    for (const NlAddress& target : origin) add_route(route, target.get(), links);
  });
}

/// Connections over a link may go to any address of the origin, so one that a VPN leads is enough.
void mark_links_beside_vpn(nl_addr* target, LinksByIndex& links) {
  const std::optional<int> leading = leading_device(target);
  const auto vpn = leading ? links.find(*leading) : links.end();
  if (vpn == links.end() || !vpn->second.is_vpn) return;
  for (auto& [index, link] : links) {
    if (index != *leading && link.role != LinkRole::kLoopback) link.beside_vpn = vpn->second.name;
  }
}

/// libnl takes fe80::/64 of two interfaces for one route.
bool leads_over(int index, const nl_addr* target) {
  const auto* const bytes = static_cast<const std::byte*>(nl_addr_get_binary_addr(target));
  const auto route = route_to({bytes, nl_addr_get_len(target)}, index);
  return route && route->kind == Route::Kind::kToOthers;
}

}  // namespace

void NlAddressDeleter::operator()(nl_addr* address) const { nl_addr_put(address); }
void NlSocketDeleter::operator()(nl_sock* socket) const { nl_socket_free(socket); }

NlSocket open_route_socket() {
  NlSocket socket{nl_socket_alloc()};
  if (!socket) throw std::bad_alloc{};
  check(nl_connect(socket.get(), NETLINK_ROUTE), "connect");
  return socket;
}

LinkSnapshot::LinkSnapshot(const std::vector<std::string>& origin_addresses) : socket_{open_route_socket()} {
  for (const std::string& address : origin_addresses) {
    nl_addr* parsed = nullptr;
    if (const std::string zone{zone_of(address)}; !zone.empty()) zone_ = link_name(zone);
    if (nl_addr_parse(std::string{without_zone(address)}.c_str(), AF_UNSPEC, &parsed) < 0) {
      throw std::invalid_argument{fmt::format("\"{}\" is not an IP address", address)};
    }
    origin_.emplace_back(parsed);
    origin_is_loopback_ |= is_loopback(parsed);
  }
}

LinkStates LinkSnapshot::take() const {
  LinksByIndex links = list_links(socket_.get());
  add_addresses(socket_.get(), origin_, links);
  add_routes(socket_.get(), origin_, links);
  if (zone_.empty()) {
    for (const NlAddress& target : origin_) mark_links_beside_vpn(target.get(), links);
  } else {
    for (auto& [index, link] : links)
      link.ipv6.has_route = link.name == zone_ && leads_over(index, origin_.front().get());
  }

  LinkStates states;
  for (auto& [index, link] : links) states.emplace(link.name, std::move(link));
  return states;
}

}  // namespace tributary
