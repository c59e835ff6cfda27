#include "bonding/handshake/preshared_key.hh"

namespace tributary::bonding {
namespace {

constexpr int kVariant = sodium_base64_VARIANT_URLSAFE_NO_PADDING;
constexpr std::array<char, crypto_kdf_CONTEXTBYTES> kContext{'t', 'r', 'i', 'b', 'u', 't', 'r', 'y'};

}  // namespace

PresharedKey PresharedKey::random() {
  PresharedKey key;
  crypto_kdf_keygen(key.key_.data());
  return key;
}

std::optional<PresharedKey> PresharedKey::from_text(std::string_view text) {
  PresharedKey key;
  std::size_t size = 0;
  const char* end = nullptr;
  const int refused =
      sodium_base642bin(key.key_.data(), crypto_kdf_KEYBYTES, text.data(), text.size(), nullptr, &size, &end, kVariant);
  if (refused != 0 || size != crypto_kdf_KEYBYTES || end != text.data() + text.size()) return std::nullopt;
  return key;
}

std::string PresharedKey::text() const {
  std::string text(sodium_base64_ENCODED_LEN(crypto_kdf_KEYBYTES, kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), key_.data(), crypto_kdf_KEYBYTES, kVariant);
  text.pop_back();  // the zero at the end
  return text;
}

PresharedKey::Subkey PresharedKey::subkey(Purpose purpose) const {
  Subkey subkey;
  crypto_kdf_derive_from_key(subkey.data(), Subkey::kSize, static_cast<std::uint64_t>(purpose), kContext.data(),
                             key_.data());
  return subkey;
}

}  // namespace tributary::bonding
