#pragma once

#include <cstddef>
#include <vector>

#include "tunnel/machine/offload/offload_header.hh"

namespace tributary {

/// Packets that the system takes as one, and what it has to know of them.
struct JoinedPacket {
  OffloadHeader header{};
  std::vector<std::byte> packet;
};

/// Joins TCP segments of the same connection that follow each other, as the system itself does with those of a network card
/// (generic receive offload): it handles a run of them at the price of one, and acknowledges them at once. Segments with a wrong
/// checksum, and all other packets, stay as they are. Packets of one connection keep their order.
std::vector<JoinedPacket> joined_packets(std::vector<std::vector<std::byte>> packets);

}  // namespace tributary
