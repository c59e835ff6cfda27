#pragma once

#include <sodium.h>

#include <array>
#include <cstddef>
#include <span>

namespace tributary::bonding {

/// Bytes that nobody may see: overwritten when they go, and compared in constant time.
template <std::size_t kBytes>
class Secret {
 public:
  static constexpr std::size_t kSize = kBytes;

  Secret() = default;
  Secret(const Secret&) = default;
  Secret& operator=(const Secret&) = default;
  ~Secret() { sodium_memzero(bytes_.data(), kBytes); }

  unsigned char* data() { return bytes_.data(); }
  const unsigned char* data() const { return bytes_.data(); }
  std::span<const std::byte, kBytes> bytes() const { return std::as_bytes(std::span{bytes_}); }
  bool operator==(const Secret& other) const { return sodium_memcmp(data(), other.data(), kBytes) == 0; }

 private:
  std::array<unsigned char, kBytes> bytes_{};
};

using SessionKey = Secret<crypto_aead_xchacha20poly1305_ietf_KEYBYTES>;

/// The bytes as libsodium takes them.
inline const unsigned char* as_unsigned(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}
inline unsigned char* as_unsigned(std::byte* bytes) { return reinterpret_cast<unsigned char*>(bytes); }

}  // namespace tributary::bonding
