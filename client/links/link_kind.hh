#pragma once

#include <string>

namespace tributary {

/// What the interface seems to be, for people: "wifi", "cellular", "ethernet" or "virtual", from what the
/// kernel's sysfs tells of the device.
std::string guess_link_kind(const std::string& name);

}  // namespace tributary
