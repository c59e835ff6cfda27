#pragma once

#include <string>
#include <string_view>

#include "units/byte_range.hh"

namespace tributary::testing {

/// The bytes of the range in the file of that name: every file is another one, and every position tells where it is.
std::string made_up_bytes(std::string_view name, ByteRange range);

/// Another version of the file: as large, and with other bytes.
inline std::string other_version(const std::string& name) { return name + " (other version)"; }

}  // namespace tributary::testing
