#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "bonding/wire/secret.hh"

namespace tributary::bonding {

/// The key that a relay and its clients share. It authenticates both, and encrypts nothing by itself.
class PresharedKey {
 public:
  /// From the system's source of randomness.
  static PresharedKey random();
  /// Reads text() back. Nothing for any other text.
  static std::optional<PresharedKey> from_text(std::string_view text);

  /// 43 characters of base64url.
  std::string text() const;

  enum class Purpose : std::uint8_t { kHello = 1, kRetry, kSession };
  using Subkey = Secret<crypto_generichash_KEYBYTES>;
  /// A key for one purpose, from which neither this key nor the others can be told.
  Subkey subkey(Purpose purpose) const;

  bool operator==(const PresharedKey&) const = default;

 private:
  Secret<crypto_kdf_KEYBYTES> key_;
};

}  // namespace tributary::bonding
