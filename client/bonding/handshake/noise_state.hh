#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/secret.hh"

namespace tributary::bonding {

/// What one end of a handshake has hashed and derived so far: the SymmetricState of the Noise framework (revision 34, section
/// 5.2), with ChaChaPoly and BLAKE2b. Knows neither patterns nor datagrams.
class NoiseState {
 public:
  static constexpr std::size_t kHashSize = 64, kTagSize = crypto_aead_chacha20poly1305_ietf_ABYTES;

  /// `protocol`: its whole name, of at most kHashSize characters.
  NoiseState(std::string_view protocol, ByteSpan prologue);

  void mix_hash(ByteSpan bytes);
  void mix_key(ByteSpan secret);
  void mix_key_and_hash(ByteSpan secret);

  Bytes encrypt_and_hash(ByteSpan plain);
  /// Nothing unless the peer has encrypted it in the same state.
  std::optional<Bytes> decrypt_and_hash(ByteSpan sealed);

  /// The keys of the initiator's and the responder's packets.
  std::pair<SessionKey, SessionKey> split() const;
  /// Of the whole handshake.
  ByteSpan hash() const { return hash_.bytes(); }

 private:
  using Digest = Secret<kHashSize>;
  using Nonce = std::array<unsigned char, crypto_aead_chacha20poly1305_ietf_NPUBBYTES>;

  void key_from(const Digest& digest);
  Nonce next_nonce();

  Digest hash_, chaining_key_;
  SessionKey key_;
  std::uint64_t next_ = 0;  // message of this key
};

}  // namespace tributary::bonding
