#pragma once

#include <optional>

#include "bonding/scheduling/flow.hh"
#include "bonding/scheduling/subflow.hh"
#include "bonding/wire/bytes.hh"

namespace tributary::bonding {

/// What an IP packet tells of itself. Borrows its addresses: 4 or 16 bytes.
struct InnerAddresses {
  ByteSpan source, destination;
};
/// Nothing unless it is a packet of IPv4 or IPv6 with a whole header.
std::optional<InnerAddresses> inner_addresses(ByteSpan packet);

/// Fragments have no ports: those of the same addresses have one flow. So has all that is no IP packet.
Flow flow_of(ByteSpan packet);

/// By the packet's DSCP: the higher its class (its upper three bits: RFC 2474), the more important; within a class, the lower
/// its drop precedence (RFC 2597), so AF41 comes before AF42. What is no IP packet counts as unmarked.
Subflow subflow_of(ByteSpan packet);

}  // namespace tributary::bonding
