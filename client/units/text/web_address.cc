#include "units/text/web_address.hh"

#include <algorithm>
#include <array>

#include "units/text/host.hh"
#include "units/text/ip_address.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

/// The host of an address without a scheme; an IPv6 address without its brackets and its interface.
std::string_view host_of(std::string_view text) {
  text = text.substr(0, text.find_first_of("/?#"));
  if (const std::size_t user = text.rfind('@'); user != std::string_view::npos) text.remove_prefix(user + 1);
  const auto split = split_host(text);
  return without_zone(split ? split->host : text);
}

/// RFC 1918, RFC 1122 section 3.2.1.3, RFC 3927; RFC 4193, RFC 4291: unique local, link-local, loopback.
bool is_private(const IpAddress& address) {
  constexpr std::array kNetworks{"10.0.0.0/8",     "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
                                 "192.168.0.0/16", "::1/128",     "fc00::/7",       "fe80::/10"};
  return std::ranges::any_of(kNetworks, [&](const char* network) { return IpNetwork::from(network).has(address); });
}

}  // namespace

bool is_on_local_network(std::string_view host) {
  const std::string text{host};
  if (const auto address = IpAddress::from(text)) return is_private(*address);
  return text.find('.') == std::string::npos || text.ends_with(".localhost") || text.ends_with(".local") ||
         text.ends_with(".home.arpa");
}

std::string with_scheme(std::string_view text) {
  if (is_address(text)) return std::string{text};
  while (text.starts_with('/')) text.remove_prefix(1);  // "//host/film", as pages have it
  return (is_on_local_network(host_of(text)) ? "http://" : "https://") + std::string{text};
}

}  // namespace tributary
