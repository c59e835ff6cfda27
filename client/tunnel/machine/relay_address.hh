#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bonding/handshake/peer_address.hh"
#include "units/text/ip_address.hh"

namespace tributary {

/// Where relays listen unless they are told otherwise.
inline constexpr std::uint16_t kRelayPort = 7117;

/// A relay as its user names it.
struct RelayName {
  std::string host;  // name or address
  std::uint16_t port = kRelayPort;
};
/// Reads "relay.example", "192.0.2.1:7117", "[2001:db8::1]:7117", "2001:db8::1". Throws std::invalid_argument.
RelayName parse_relay(std::string_view text);

/// All its addresses, as the system knows them. Waits for DNS. Throws std::runtime_error.
std::vector<bonding::PeerAddress> addresses_of(const RelayName& relay);

/// Without its port, and not mapped.
IpAddress ip_of(const bonding::PeerAddress& address);
/// "192.0.2.1", "2001:db8::1".
inline std::string address_text(const bonding::PeerAddress& address) { return ip_of(address).text(); }
/// An IPv4 address that is mapped.
bool is_ipv4(const bonding::PeerAddress& address);

}  // namespace tributary
