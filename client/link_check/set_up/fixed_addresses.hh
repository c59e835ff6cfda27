#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace tributary {

/// What a link gets that is not asked for by DHCP.
struct FixedAddress {
  std::vector<std::string> addresses;  // with the length of their network: "192.0.2.7/24", "2001:db8::7/64"
  std::vector<std::string> routers;    // at most one of each family
};

using FixedAddresses = std::map<std::string, FixedAddress>;  // by the name of the link

/// Reads {"wifi": {"addresses": ["192.0.2.7/24"], "routers": ["192.0.2.1"]}, ...}. Throws std::runtime_error, which names the file
/// and the place.
FixedAddresses read_fixed_addresses(const std::filesystem::path& file);

}  // namespace tributary
