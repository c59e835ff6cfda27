#include "links/network_prefix.hh"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <stdexcept>

namespace tributary {
namespace {

struct Prefix {
  int family = AF_INET;
  std::array<std::uint8_t, 16> bytes{};
  unsigned length = 0;
};

Prefix parse_prefix(const std::string& text) {
  Prefix prefix{.family = is_ipv6(text) ? AF_INET6 : AF_INET};
  const std::size_t slash = text.find('/');
  const bool is_address =
      slash != std::string::npos && ::inet_pton(prefix.family, text.substr(0, slash).c_str(), prefix.bytes.data()) == 1;
  const char* const end = text.data() + text.size();
  const auto read = is_address ? std::from_chars(text.data() + slash + 1, end, prefix.length)
                               : std::from_chars_result{end, std::errc::invalid_argument};
  if (read.ec != std::errc{} || read.ptr != end || prefix.length > (prefix.family == AF_INET ? 32U : 128U))
    throw std::invalid_argument{fmt::format("\"{}\": expected a network, as 10.0.0.0/8 or 2001:db8::/32", text)};
  return prefix;
}

}  // namespace

bool is_ipv6(const std::string& address) { return address.find(':') != std::string::npos; }

void expect_network(const std::string& text) { parse_prefix(text); }

std::string network_prefix_of(const std::string& address) {
  Prefix prefix = parse_prefix(address);
  for (unsigned bit = prefix.length; bit < 8 * prefix.bytes.size(); ++bit)
    prefix.bytes[bit / 8] &= static_cast<std::uint8_t>(~(0x80U >> bit % 8));
  std::array<char, INET6_ADDRSTRLEN> text{};
  ::inet_ntop(prefix.family, prefix.bytes.data(), text.data(), text.size());
  return fmt::format("{}/{}", text.data(), prefix.length);
}

bool is_within(const std::string& address, const std::string& network) {
  if (is_ipv6(address) != is_ipv6(network)) return false;
  const std::string length = network.substr(network.find('/'));
  return network_prefix_of(address + length) == network_prefix_of(network);
}

}  // namespace tributary
