#include "units/text/host.hh"

#include <algorithm>
#include <charconv>
#include <system_error>

namespace tributary {

std::optional<HostPort> split_host(std::string_view text) {
  std::size_t end = text.size();
  if (text.starts_with('[')) {
    end = text.find(']');
    if (end == std::string_view::npos || (++end < text.size() && text[end] != ':')) return std::nullopt;
  } else if (std::ranges::count(text, ':') == 1) {  // more are those of an address of IPv6
    end = text.find(':');
  }
  HostPort split{.host = without_brackets(text.substr(0, end)), .port = {}};
  if (end < text.size()) split.port = text.substr(end + 1);
  return split;
}

std::optional<std::uint16_t> port_number(std::string_view digits) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return port;
}

std::string_view without_brackets(std::string_view host) {
  return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

std::string_view without_zone(std::string_view host) { return host.substr(0, host.find('%')); }

std::string_view zone_of(std::string_view host) {
  host.remove_prefix(std::min(host.find('%'), host.size()));
  return host.substr(std::min<std::size_t>(host.size(), 1));
}

}  // namespace tributary
