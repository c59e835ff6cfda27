#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tributary {

/// The driver of an interface, as the kernel names it: "iwlwifi", "veth". Empty if it does not say.
std::string driver_of(const std::string& link);

/// Whether the kernel drops what comes in over the interface from where it would not send to over it
/// (net.ipv4.conf.NAME.rp_filter, or that of all: the larger one counts; 1 is strict).
bool filters_reverse_path(const std::string& link);

/// Bytes that the interface has received since it exists. Nothing if it does not.
std::optional<std::uint64_t> received_bytes(const std::string& link);

}  // namespace tributary
