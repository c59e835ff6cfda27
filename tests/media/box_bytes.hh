#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "media/iso_box.hh"

namespace tributary {

/// A big-endian number, of as many bytes as wanted.
inline std::string big_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
  return text;
}

/// A box of an ISO base media file.
inline std::string box(std::string_view type, std::string_view body) {
  return big_endian(body.size() + 8, 4) + std::string{type} + std::string{body};
}

inline std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span{text}); }

/// What BoxError said, or "accepted".
template <typename Act>
std::string refusal(Act act) {
  try {
    act();
  } catch (const BoxError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tributary
