#pragma once

#include <string>
#include <vector>

namespace tributary {

/// Addresses for documentation (RFC 5737, RFC 3849), which no host has: only default routes lead to them.
inline const std::vector<std::string> kAnywhere{"192.0.2.1", "2001:db8::1"};

/// "wwan0 via 10.0.0.1", or "wwan0" if the route to these addresses has no gateway. Throws as LinkSnapshot does.
std::string network_of(const std::string& link, const std::vector<std::string>& origin_addresses);

}  // namespace tributary
