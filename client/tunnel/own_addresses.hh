#pragma once

#include <optional>
#include <string>

namespace tributary {

/// The device of this machine that has this address ("192.0.2.1"), other than `except`. Nothing if none has it.
std::optional<std::string> device_with(const std::string& address, const std::string& except);

}  // namespace tributary
