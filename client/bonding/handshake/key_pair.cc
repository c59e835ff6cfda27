#include "bonding/handshake/key_pair.hh"

namespace tributary::bonding {

KeyPair KeyPair::random() {
  PrivateKey made;
  randombytes_buf(made.data(), PrivateKey::kSize);
  return KeyPair{made};
}

KeyPair::KeyPair(const PrivateKey& private_key) : private_key_{private_key} {
  crypto_scalarmult_base(as_unsigned(public_key_.data()), private_key_.data());
}

std::optional<ExchangedSecret> KeyPair::exchanged_with(const PublicKey& peer) const {
  ExchangedSecret secret;
  if (crypto_scalarmult(secret.data(), private_key_.data(), as_unsigned(peer)) != 0) return std::nullopt;
  return secret;
}

}  // namespace tributary::bonding
