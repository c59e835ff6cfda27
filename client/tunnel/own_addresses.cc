#include "tunnel/own_addresses.hh"

#include <arpa/inet.h>
#include <ifaddrs.h>

#include <array>
#include <memory>

#include "units/text/ip_address.hh"

namespace tributary {
namespace {

IpAddress ip_of(const sockaddr& address) {
  if (address.sa_family == AF_INET)
    return IpAddress{std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in&>(address).sin_addr, 1})};
  return IpAddress{std::as_bytes(std::span{&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, 1})};
}

}  // namespace

std::optional<std::string> device_with(const std::string& address, const std::string& except) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all{first, &::freeifaddrs};
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    const sockaddr* own = entry->ifa_addr;
    if (own == nullptr || (own->sa_family != AF_INET && own->sa_family != AF_INET6)) continue;
    if (ip_of(*own).text() == address && entry->ifa_name != except) return entry->ifa_name;
  }
  return std::nullopt;
}

}  // namespace tributary
