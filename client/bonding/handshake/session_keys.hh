#pragma once

#include <optional>

#include "bonding/handshake/preshared_key.hh"
#include "bonding/wire/bytes.hh"
#include "bonding/wire/secret.hh"

namespace tributary::bonding {

using PublicKey = std::array<std::byte, crypto_kx_PUBLICKEYBYTES>;

/// The keys of one connection, one for each direction.
struct SessionKeys {
  SessionKey send, receive;
};

/// One end's share in the keys of one connection, made for it and thrown away after it.
class EphemeralKey {
 public:
  EphemeralKey();

  const PublicKey& public_key() const { return public_key_; }

  /// The keys of the connection with the owner of `peer`: libsodium's key exchange, which hashes the secret of X25519 with
  /// both public keys, and then the preshared key. Nothing if `peer` is no point of the curve that makes a secret.
  std::optional<SessionKeys> as_client(const PublicKey& peer, const PresharedKey& shared) const;
  std::optional<SessionKeys> as_relay(const PublicKey& peer, const PresharedKey& shared) const;

 private:
  PublicKey public_key_{};
  Secret<crypto_kx_SECRETKEYBYTES> secret_key_;
};

}  // namespace tributary::bonding
