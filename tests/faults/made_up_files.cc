#include "made_up_files.hh"

#include <cstdint>

namespace tributary::testing {

std::string made_up_bytes(std::string_view name, ByteRange range) {
  std::uint64_t seed = 14695981039346656037u;  // FNV-1a
  for (const char c : name) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  std::string bytes(static_cast<std::size_t>(range.size().bytes()), '\0');
  auto offset = static_cast<std::uint64_t>(range.begin.bytes());
  for (char& byte : bytes) {
    byte = static_cast<char>(((seed + (offset >> 3)) * 0x9e3779b97f4a7c15u) >> (8 * (offset & 7)));
    ++offset;
  }
  return bytes;
}

}  // namespace tributary::testing
