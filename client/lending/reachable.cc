#include "lending/reachable.hh"

#include <netinet/in.h>

#include <algorithm>

#include "transport/sockets/public_address.hh"

namespace tributary::lending {
namespace {

IpAddress ip_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET)
    return IpAddress{std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in&>(address).sin_addr, 1})};
  return IpAddress{std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 1})};
}

bool any_has(const std::vector<IpNetwork>& networks, const IpAddress& address) {
  return std::ranges::any_of(networks, [&](const IpNetwork& network) { return network.has(address); });
}

}  // namespace

std::string Reachable::obstacle(const sockaddr& address, const Here& here) const {
  const auto meant = transport::address_meant(address);
  if (!meant) return "an address of another kind";
  const IpAddress ip = ip_of(*meant);
  const auto is_own = [&](const IpAddress& own) { return std::ranges::equal(own.bytes(), ip.bytes()); };
  const std::string alone = network_of_one(ip.text());
  const auto is_named = [&](const IpNetwork& network) { return network.text() == alone; };
  if (std::ranges::any_of(allowed, is_named)) return {};
  if (std::ranges::any_of(here.own, is_own)) return "an address of the lender itself";
  if (any_has(allowed, ip)) return {};
  if (!transport::is_public(reinterpret_cast<const sockaddr&>(*meant))) return "no public address";
  if (any_has(here.neighbours, ip)) return "an address in the lender's own network";
  return {};
}

bool Reachable::has_port(std::uint16_t port) const { return std::ranges::find(ports, port) != ports.end(); }

}  // namespace tributary::lending
