#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>

namespace tributary::transport {

/// Whether an address is one of the public internet: not of this machine, a local network, a link, a group of receivers,
/// or of a range that is kept for such uses (RFC 6890, RFC 4193). IPv4 addresses within IPv6 ones count as what they
/// lead to (RFC 4291 section 2.5.5.2, RFC 6052). Ranges for documentation count as public: nobody has them.
bool is_public(const sockaddr& address);
/// The same of an address as text ("192.0.2.1", "2001:db8::1"). What is no address is not public.
bool is_public(const std::string& address);
/// The address that packets to this one go to in the end, as far as the address tells: an IPv4 one within an IPv6 one.
/// Nothing for one of another family.
std::optional<sockaddr_storage> address_meant(const sockaddr& address);
/// Nothing for text that is no address.
std::optional<sockaddr_storage> parse_address(const std::string& text);
std::string text_of(const sockaddr& address);

}  // namespace tributary::transport
