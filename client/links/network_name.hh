#pragma once

#include <string>
#include <vector>

namespace tributary {

/// Nobody has these addresses (RFC 5737, RFC 3849): a route leads there if it leads everywhere.
inline const std::vector<std::string> kAnywhere{"192.0.2.1", "2001:db8::1"};

/// "wwan0 via 10.0.0.1", or "wwan0" if nobody is on the way to these addresses. Throws as LinkSnapshot does.
std::string network_of(const std::string& link, const std::vector<std::string>& origin_addresses);

}  // namespace tributary
