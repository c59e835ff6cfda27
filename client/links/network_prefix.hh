#pragma once

#include <string>

namespace tributary {

/// Throws std::invalid_argument unless it is an address with the length of its network: "192.0.2.7/24", "2001:db8::/32".
void expect_network(const std::string& text);
/// "192.0.2.0/24" of "192.0.2.7/24". Throws std::invalid_argument.
std::string network_prefix_of(const std::string& address);
/// The address is of this network. False for what is of another family, or no address.
bool is_within(const std::string& address, const std::string& network);
bool is_ipv6(const std::string& address);

}  // namespace tributary
