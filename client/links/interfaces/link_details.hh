#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace tributary {

/// The driver of an interface, as the kernel names it: "iwlwifi", "veth". Empty if the kernel names none.
std::string driver_of(const std::string& link);

/// Whether the kernel drops packets that come in over an interface other than the one to their sender. That is
/// net.ipv4.conf.NAME.rp_filter, or the setting for "all": the larger one counts; 1 is strict.
bool filters_reverse_path(const std::string& link);

/// Bytes that the interface has received since its creation. Nothing if no such interface exists.
std::optional<std::uint64_t> received_bytes(const std::string& link);

}  // namespace tributary
