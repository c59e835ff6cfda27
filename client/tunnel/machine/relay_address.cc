#include "tunnel/machine/relay_address.hh"

#include <fmt/format.h>
#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <span>
#include <stdexcept>

#include "tunnel/machine/socket_address.hh"
#include "units/text/host.hh"

namespace tributary {
namespace {

std::uint16_t parse_port(std::string_view text, std::string_view whole) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0)
    throw std::invalid_argument{fmt::format("\"{}\": expected a port from 1 to 65535 after the colon", whole)};
  return port;
}

}  // namespace

RelayName parse_relay(std::string_view text) {
  const auto split = split_host(text);
  if (!split) throw std::invalid_argument{fmt::format("\"{}\": expected [ADDRESS]:PORT", text)};
  if (split->host.empty() || split->host.find('/') != std::string_view::npos)
    throw std::invalid_argument{fmt::format("\"{}\": expected the relay as HOST or HOST:PORT", text)};
  RelayName relay{.host = std::string{split->host}};
  if (split->port) relay.port = parse_port(*split->port, text);
  return relay;
}

std::vector<bonding::PeerAddress> addresses_of(const RelayName& relay) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* first = nullptr;
  const int code = ::getaddrinfo(relay.host.c_str(), nullptr, &wanted, &first);
  if (code != 0) throw std::runtime_error{fmt::format("{}: {}", relay.host, ::gai_strerror(code))};
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned{first, &::freeaddrinfo};
  std::vector<bonding::PeerAddress> found;
  for (const addrinfo* info = first; info != nullptr; info = info->ai_next) {
    found.push_back(read_address(*info->ai_addr));
    found.back().port = relay.port;
  }
  return found;
}

bool is_ipv4(const bonding::PeerAddress& address) {
  return std::all_of(address.address.begin(), address.address.begin() + 10,
                     [](std::byte b) { return b == std::byte{}; }) &&
         address.address[10] == std::byte{0xff} && address.address[11] == std::byte{0xff};
}

IpAddress ip_of(const bonding::PeerAddress& address) {
  return IpAddress{std::span{address.address}.subspan(is_ipv4(address) ? 12 : 0)};
}

}  // namespace tributary
