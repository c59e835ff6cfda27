#include "bonding/handshake/session_keys.hh"

#include "bonding/handshake/keyed_hash.hh"

namespace tributary::bonding {
namespace {

using ExchangedKey = Secret<crypto_kx_SESSIONKEYBYTES>;

SessionKey mixed(const ExchangedKey& exchanged, const PresharedKey& shared) {
  const ByteSpan bytes = std::as_bytes(std::span{exchanged.data(), ExchangedKey::kSize});
  Tag tag = keyed_hash(shared.subkey(PresharedKey::Purpose::kSession), {bytes});
  SessionKey key;
  static_assert(SessionKey::kSize == sizeof(Tag));
  std::copy_n(as_unsigned(tag), SessionKey::kSize, key.data());
  sodium_memzero(tag.data(), tag.size());
  return key;
}

}  // namespace

EphemeralKey::EphemeralKey() { crypto_kx_keypair(as_unsigned(public_key_.data()), secret_key_.data()); }

std::optional<SessionKeys> EphemeralKey::as_client(const PublicKey& peer, const PresharedKey& shared) const {
  ExchangedKey receive, send;
  if (crypto_kx_client_session_keys(receive.data(), send.data(), as_unsigned(public_key_), secret_key_.data(),
                                    as_unsigned(peer)) != 0) {
    return std::nullopt;
  }
  return SessionKeys{mixed(send, shared), mixed(receive, shared)};
}

std::optional<SessionKeys> EphemeralKey::as_relay(const PublicKey& peer, const PresharedKey& shared) const {
  ExchangedKey receive, send;
  if (crypto_kx_server_session_keys(receive.data(), send.data(), as_unsigned(public_key_), secret_key_.data(),
                                    as_unsigned(peer)) != 0) {
    return std::nullopt;
  }
  return SessionKeys{mixed(send, shared), mixed(receive, shared)};
}

}  // namespace tributary::bonding
