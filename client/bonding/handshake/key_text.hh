#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bonding/handshake/key_pair.hh"

namespace tributary::bonding {

constexpr std::size_t kKeySize = 32;  // of all keys in files

/// 43 characters of base64url.
std::string key_text(std::span<const std::byte, kKeySize> key);
/// Reads it back. Nothing for any other text.
std::optional<Secret<kKeySize>> key_from_text(std::string_view text);
/// Nothing for one with which no secret can be made, either.
std::optional<PublicKey> public_key_from_text(std::string_view text);

}  // namespace tributary::bonding
