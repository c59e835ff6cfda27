#include "bonding/handshake/key_text.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;

}  // namespace

std::string key_text(std::span<const std::byte, kKeySize> key) {
  std::string text(sodium_base64_ENCODED_LEN(kKeySize, kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), as_unsigned(key), key.size(), kVariant);
  text.pop_back();  // the zero at the end
  return text;
}

std::optional<Secret<kKeySize>> key_from_text(std::string_view text) {
  Secret<kKeySize> key;
  std::size_t size = 0;
  const char* end = nullptr;
  const int refused = sodium_base642bin(key.data(), kKeySize, text.data(), text.size(), nullptr, &size, &end, kVariant);
  if (refused != 0 || size != kKeySize || end != text.data() + text.size()) return std::nullopt;
  return key;
}

std::optional<PublicKey> public_key_from_text(std::string_view text) {
  const auto read = key_from_text(text);
  if (!read) return std::nullopt;
  PublicKey key{};
  std::ranges::copy(read->bytes(), key.begin());
  return KeyPair::random().exchanged_with(key) ? std::optional{key} : std::nullopt;
}

}  // namespace tributary::bonding
