#include "transport/connections/origin_addresses.hh"

#include <fmt/format.h>
#include <netdb.h>

#include <array>
#include <memory>

namespace tributary::transport {
namespace {

std::string without_brackets(const std::string& host) {
  return host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
}

}  // namespace

std::vector<std::string> resolve(const Origin& origin) {
  addrinfo hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(without_brackets(origin.host).c_str(), nullptr, &hints, &found); error != 0) {
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

}  // namespace tributary::transport
