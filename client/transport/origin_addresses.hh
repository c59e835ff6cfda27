#pragma once

#include <string>
#include <vector>

#include "transport/origin.hh"

namespace tributary::transport {

/// The addresses of the origin's host, as text ("192.0.2.1", "2001:db8::1"), in the system's order of
/// preference. Waits for the resolver. Done once for each origin: the resolver asks over whichever link it
/// likes, and a reconnection must not depend on that link. Throws UrlError if the name has no address.
std::vector<std::string> resolve(const Origin& origin);

}  // namespace tributary::transport
