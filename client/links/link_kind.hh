#pragma once

#include <string>

namespace tributary {

/// A guess for people, from the device's entries in sysfs: "wifi", "cellular", "ethernet" or "virtual".
std::string guess_link_kind(const std::string& name);

}  // namespace tributary
