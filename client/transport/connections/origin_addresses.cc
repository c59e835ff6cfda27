#include "transport/connections/origin_addresses.hh"

#include <fmt/format.h>
#include <net/if.h>
#include <netdb.h>

#include <array>
#include <memory>

#include "links/link_catalogue.hh"
#include "units/text/host.hh"

namespace tributary::transport {

std::vector<std::string> resolve(const Origin& origin) {
  const std::string address = origin.address_or_name(), zone{zone_of(address)};
  if (!zone.empty() && if_nametoindex(zone.c_str()) == 0)
    throw LookupError{false, fmt::format("{}: this machine has no interface {}", origin.host, zone)};
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(address.c_str(), nullptr, &hints, &found); error != 0) {
    throw LookupError{error == EAI_AGAIN,
                      fmt::format("look up the address of {}: {}", origin.host, gai_strerror(error))};
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned{found, freeaddrinfo};

  std::vector<std::string> addresses;
  for (const addrinfo* entry = found; entry != nullptr; entry = entry->ai_next) {
    std::array<char, NI_MAXHOST> text{};
    if (getnameinfo(entry->ai_addr, entry->ai_addrlen, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST) == 0) {
      addresses.emplace_back(text.data());
    }
  }
  return addresses;
}

std::vector<std::string> resolve(const Origin& origin, const LinkRules& rules) {
  const auto proxy = rules.catalogue ? rules.catalogue->leading(origin.url()) : nullptr;
  return proxy ? proxy->addresses : resolve(origin);
}

}  // namespace tributary::transport
