#include "units/text/web_address.hh"

#include <arpa/inet.h>

#include <array>
#include <cstdint>

#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

/// The host of an address without a scheme; an IPv6 address without its brackets.
std::string_view host_of(std::string_view text) {
  text = text.substr(0, text.find_first_of("/?#"));
  if (const std::size_t user = text.rfind('@'); user != std::string_view::npos) text.remove_prefix(user + 1);
  if (text.starts_with('[')) return text.substr(1, text.find(']') - 1);
  return text.substr(0, text.find(':'));
}

/// RFC 1918, RFC 1122 section 3.2.1.3, RFC 3927.
bool is_private(const std::array<std::uint8_t, 4>& address) {
  return address[0] == 127 || address[0] == 10 || (address[0] == 172 && (address[1] & 0xf0) == 16) ||
         (address[0] == 192 && address[1] == 168) || (address[0] == 169 && address[1] == 254);
}

/// RFC 4193, RFC 4291: unique local, link-local, loopback.
bool is_private(const std::array<std::uint8_t, 16>& address) {
  static const std::array<std::uint8_t, 16> kLoopback{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  return (address[0] & 0xfe) == 0xfc || (address[0] == 0xfe && (address[1] & 0xc0) == 0x80) || address == kLoopback;
}

}  // namespace

bool is_on_local_network(std::string_view host) {
  const std::string text{host};
  std::array<std::uint8_t, 4> v4{};
  std::array<std::uint8_t, 16> v6{};
  if (inet_pton(AF_INET, text.c_str(), v4.data()) == 1) return is_private(v4);
  if (inet_pton(AF_INET6, text.c_str(), v6.data()) == 1) return is_private(v6);
  return text.find('.') == std::string::npos || text.ends_with(".localhost") || text.ends_with(".local") ||
         text.ends_with(".home.arpa");
}

std::string with_scheme(std::string_view text) {
  if (is_address(text)) return std::string{text};
  while (text.starts_with('/')) text.remove_prefix(1);  // "//host/film", as pages have it
  return (is_on_local_network(host_of(text)) ? "http://" : "https://") + std::string{text};
}

}  // namespace tributary
