#pragma once

#include <sys/socket.h>

#include <string>

namespace tributary::transport {

/// Whether an address is one of the public internet: not of this machine, a local network, a link, a group of receivers,
/// or of a range that is kept for such uses (RFC 6890, RFC 4193). IPv4 addresses within IPv6 ones count as what they
/// lead to (RFC 4291 section 2.5.5.2, RFC 6052). Ranges for documentation count as public: nobody has them.
bool is_public(const sockaddr& address);
/// The same of an address as text ("192.0.2.1", "2001:db8::1"). What is no address is not public.
bool is_public(const std::string& address);

}  // namespace tributary::transport
