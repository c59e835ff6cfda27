#include "tunnel/own_addresses.hh"

#include <arpa/inet.h>
#include <ifaddrs.h>

#include <array>
#include <memory>

namespace tributary {
namespace {

std::string text_of(const sockaddr& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = address.sa_family == AF_INET
                          ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in&>(address).sin_addr)
                          : static_cast<const void*>(&reinterpret_cast<const sockaddr_in6&>(address).sin6_addr);
  ::inet_ntop(address.sa_family, bytes, text.data(), text.size());
  return text.data();
}

}  // namespace

std::optional<std::string> device_with(const std::string& address, const std::string& except) {
  ifaddrs* first = nullptr;
  if (::getifaddrs(&first) != 0) return std::nullopt;
  const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> all{first, &::freeifaddrs};
  for (const ifaddrs* entry = first; entry != nullptr; entry = entry->ifa_next) {
    const sockaddr* own = entry->ifa_addr;
    if (own == nullptr || (own->sa_family != AF_INET && own->sa_family != AF_INET6)) continue;
    if (text_of(*own) == address && entry->ifa_name != except) return entry->ifa_name;
  }
  return std::nullopt;
}

}  // namespace tributary
