#pragma once

#include <string>
#include <vector>

namespace tributary {

/// Where clients of a relay do not get to, as packets or by split connections: its link, its groups of receivers, itself by
/// names that only it may use, and the addresses by which clouds tell a machine its secrets. `public_only`: nor to networks
/// that are private (RFC 1918, RFC 4193, RFC 6598).
std::vector<std::string> refused_networks(bool public_only);

}  // namespace tributary
