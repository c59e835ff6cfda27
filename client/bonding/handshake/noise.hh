#pragma once

#include <optional>

#include "bonding/handshake/identities.hh"
#include "bonding/handshake/noise_state.hh"
#include "bonding/handshake/session_keys.hh"

namespace tributary::bonding {

/// Noise_IKpsk2_25519_ChaChaPoly_BLAKE2b (Noise framework, revision 34), the two messages of a handshake:
///
///   initiator    e, es, s, ss    knows the responder's public key, and shows its own to nobody else
///   responder    e, ee, se, psk  knows the initiator by that, and has a secret with it
///
/// Nothing but messages goes in and out. The prologue is what both ends must agree on besides.
class NoiseInitiator {
 public:
  /// Throws std::invalid_argument if no secret can be made with the responder's public key.
  NoiseInitiator(const ClientIdentity& identity, ByteSpan prologue, ByteSpan payload,
                 const KeyPair& ephemeral = KeyPair::random());

  const PublicKey& ephemeral() const { return ephemeral_.public_key(); }
  /// The first message, with the payload.
  const Bytes& first() const { return first_; }

  struct Completed {
    Bytes payload;
    SessionKeys keys;
    Bytes hash;  // of the handshake
  };
  /// Nothing unless `second` is the responder's answer. Any others may come before it.
  std::optional<Completed> completed(ByteSpan second) const;

 private:
  ClientIdentity identity_;
  KeyPair ephemeral_;
  NoiseState state_;
  Bytes first_;
};

class NoiseResponder {
 public:
  /// Bytes of a first message and of a second one beside their payloads.
  static constexpr std::size_t kFirstOverhead = sizeof(PublicKey) + sizeof(PublicKey) + 2 * NoiseState::kTagSize;
  static constexpr std::size_t kSecondOverhead = sizeof(PublicKey) + NoiseState::kTagSize;

  /// Nothing unless `first` is for the owner of this key pair, and its sender has the private key of initiator().
  static std::optional<NoiseResponder> answering(const KeyPair& own, ByteSpan prologue, ByteSpan first);

  const PublicKey& initiator() const { return initiator_; }
  const PublicKey& ephemeral() const { return their_ephemeral_; }
  const Bytes& payload() const { return payload_; }

  struct Completed {
    Bytes second;
    SessionKeys keys;
    Bytes hash;
  };
  /// The answer, and the keys. Nothing if no secret can be made with the initiator's public keys.
  std::optional<Completed> completed(const PresharedKey& shared, ByteSpan payload,
                                     const KeyPair& ephemeral = KeyPair::random()) const;

 private:
  explicit NoiseResponder(ByteSpan prologue);

  NoiseState state_;
  PublicKey their_ephemeral_{}, initiator_{};
  Bytes payload_;
};

}  // namespace tributary::bonding
