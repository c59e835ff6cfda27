#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tunnel/machine/offload/offload_header.hh"

namespace tributary {

/// The packets for which the system has given us one: a run of TCP segments that it left to the device to divide (TCP
/// segmentation offload), or a packet whose checksum it left to the device. What makes no
/// sense gives no packet.
std::vector<std::vector<std::byte>> divided_packets(const OffloadHeader& header, std::vector<std::byte> packet);

}  // namespace tributary
