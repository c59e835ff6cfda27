#pragma once

#include <string>

namespace tributary {

/// The alias of devices that are the end of a tunnel of ours: LinkRole::kOwnTunnel.
inline constexpr const char* kTunnelAlias = "Tributary tunnel";

/// A guess for people, from the device's entries in sysfs: "wifi", "cellular", "ethernet" or "virtual".
std::string guess_link_kind(const std::string& name);

}  // namespace tributary
