#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tributary {

struct HostPort {
  std::string_view host;                 // without brackets
  std::optional<std::string_view> port;  // what is behind the colon; nothing: there is none
};
/// Of "host", "192.0.2.1:80", "[2001:db8::1]:80", "2001:db8::1". Nothing: brackets stand where none may.
std::optional<HostPort> split_host(std::string_view text);

/// 0 to 65535. Nothing: that is no port.
std::optional<std::uint16_t> port_number(std::string_view digits);

/// "fe80::1%eth0" of "[fe80::1%eth0]". Others stay.
std::string_view without_brackets(std::string_view host);
/// "fe80::1" of "fe80::1%eth0" (RFC 4007 section 11). Others stay.
std::string_view without_zone(std::string_view host);
/// The interface that leads to an address of the link itself: "eth0" of "fe80::1%eth0"; empty: the address names none.
std::string_view zone_of(std::string_view host);

}  // namespace tributary
