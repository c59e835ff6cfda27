#include "lend/surroundings.hh"

#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <memory>
#include <system_error>

#include "links/interfaces/link_snapshot.hh"
#include "links/interfaces/network_name.hh"

namespace tributary::lending {
namespace {

std::span<const std::byte> bytes_of(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in&>(address).sin_addr, 1});
  return std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 1});
}

int prefix_of(const sockaddr& mask) {
  int bits = 0;
  for (const std::byte byte : bytes_of(mask)) bits += std::popcount(std::to_integer<unsigned>(byte));
  return bits;
}

bool is_internet(const sockaddr* address) {
  return address != nullptr && (address->sa_family == AF_INET || address->sa_family == AF_INET6);
}

/// `take`: name, address and netmask of each address of this machine; the netmask may be null.
template <typename Take>
void for_each_address(Take take) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) throw std::system_error{errno, std::generic_category(), "getifaddrs"};
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all{first, &::freeifaddrs};
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    if (is_internet(entry->ifa_addr)) take(entry->ifa_name, *entry->ifa_addr, entry->ifa_netmask);
  }
}

/// The link whose route the kernel would take.
const LinkState* default_link(const LinkStates& states) {
  const LinkState* best = nullptr;
  const auto metric = [](const LinkState& link) { return link.ipv4.usable() ? link.ipv4.metric : link.ipv6.metric; };
  for (const auto& [name, link] : states) {
    if (link.obstacle() || link.role == LinkRole::kLoopback) continue;
    if (best == nullptr || metric(link) < metric(*best)) best = &link;
  }
  return best;
}

/// A link without a route leads to neighbours, which may be what is lent.
std::string obstacle_of(const std::string& name, const LinkState* link) {
  if (link == nullptr) return fmt::format("its link {} is not there", name);
  const auto obstacle = link->obstacle();
  return obstacle && *obstacle != kLacksRoute ? fmt::format("its link {}: {}", name, *obstacle) : "";
}

}  // namespace

void Surroundings::look() {
  here_ = {};
  places_.clear();
  for_each_address([this](const char* device, const sockaddr& address, const sockaddr* mask) {
    const IpAddress own{bytes_of(address)};
    here_.own.push_back(own);
    if (mask == nullptr) return;
    here_.neighbours.push_back(IpNetwork::from(fmt::format("{}/{}", own.text(), prefix_of(*mask))));
    places_.push_back({device, own, here_.neighbours.back()});
  });
  const LinkStates states = LinkSnapshot{kAnywhere}.take();
  const auto found = named_ ? states.find(*named_) : states.end();
  const LinkState* const link = named_ ? (found == states.end() ? nullptr : &found->second) : default_link(states);
  uplink_ = named_.value_or(link == nullptr ? "" : link->name);
  why_not_ = named_ ? obstacle_of(*named_, link) : link == nullptr ? "it has no way out itself" : "";
  gateways_.clear();
  if (link == nullptr) return;
  for (const auto* family : {&link->ipv4, &link->ipv6}) {
    if (!family->gateway.empty()) gateways_.insert(family->gateway);
  }
}

bool Surroundings::is_near(const IpAddress& address) const {
  return is_own(address.text()) ||
         std::ranges::any_of(here_.neighbours, [&](const IpNetwork& network) { return network.has(address); });
}

bool Surroundings::is_own(const std::string& address) const {
  return std::ranges::any_of(here_.own, [&](const IpAddress& own) { return own.text() == address; });
}

/// Many routers have the same address: one is the same only to those in the same network.
std::string Surroundings::obstacle(const IpAddress& member, const std::set<std::string>& gateways) const {
  if (gateways_.contains(member.text())) return "its own way out is yours";
  for (const Place& place : places_) {
    if (!place.network.has(member)) continue;
    if (gateways.contains(place.own.text())) return "your way out is the lender's already";
    if (place.device != uplink_) continue;
    for (const std::string& gateway : gateways) {
      if (gateways_.contains(gateway)) return fmt::format("your way out is the lender's already, over {}", gateway);
    }
  }
  return {};
}

std::optional<DataSize> Surroundings::received() const {
  if (uplink_.empty() || uplink_ == "lo") return std::nullopt;
  return counter_.over(uplink_);
}

}  // namespace tributary::lending
