#pragma once

#include <optional>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/secret.hh"

namespace tributary::bonding {

using PublicKey = std::array<std::byte, crypto_scalarmult_BYTES>;
using PrivateKey = Secret<crypto_scalarmult_SCALARBYTES>;
using ExchangedSecret = Secret<crypto_scalarmult_BYTES>;

/// A key pair of X25519: a client, a relay, or one end of one handshake.
class KeyPair {
 public:
  /// From the system's source of randomness.
  static KeyPair random();
  explicit KeyPair(const PrivateKey& private_key);

  const PublicKey& public_key() const { return public_key_; }
  const PrivateKey& private_key() const { return private_key_; }

  /// The secret that the owner of `peer` can tell as well, and nobody else. Nothing if `peer` is one of the few points that
  /// make none.
  std::optional<ExchangedSecret> exchanged_with(const PublicKey& peer) const;

 private:
  PrivateKey private_key_;
  PublicKey public_key_{};
};

}  // namespace tributary::bonding
