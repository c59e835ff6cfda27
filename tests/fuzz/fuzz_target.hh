#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// What every target defines. Returns 0; what is wrong aborts.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tributary::fuzz {

inline std::string_view text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Unlike assert(), in every build.
inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace tributary::fuzz
