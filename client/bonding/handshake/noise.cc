#include "bonding/handshake/noise.hh"

#include <algorithm>
#include <stdexcept>

namespace tributary::bonding {
namespace {

constexpr std::string_view kProtocol = "Noise_IKpsk2_25519_ChaChaPoly_BLAKE2b";

/// An ephemeral key. With a preshared key it is part of the keys as well (section 9.2).
void mix_ephemeral(NoiseState& state, const PublicKey& key) {
  state.mix_hash(key);
  state.mix_key(key);
}

/// False: no secret can be made.
bool mix_exchanged(NoiseState& state, const KeyPair& own, const PublicKey& peer) {
  const auto secret = own.exchanged_with(peer);
  if (secret) state.mix_key(secret->bytes());
  return secret.has_value();
}

PublicKey read_key(ByteSpan bytes) {
  PublicKey key{};
  std::ranges::copy(bytes, key.begin());
  return key;
}

void append(Bytes& message, ByteSpan part) { message.insert(message.end(), part.begin(), part.end()); }

Bytes copied(ByteSpan bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

NoiseInitiator::NoiseInitiator(const ClientIdentity& identity, ByteSpan prologue, ByteSpan payload,
                               const KeyPair& ephemeral)
    : identity_{identity}, ephemeral_{ephemeral}, state_{kProtocol, prologue} {
  state_.mix_hash(identity_.relay);
  mix_ephemeral(state_, ephemeral_.public_key());
  append(first_, ephemeral_.public_key());
  if (!mix_exchanged(state_, ephemeral_, identity_.relay))
    throw std::invalid_argument{"the relay's public key makes no secret"};
  append(first_, state_.encrypt_and_hash(identity_.own.public_key()));
  mix_exchanged(state_, identity_.own, identity_.relay);
  append(first_, state_.encrypt_and_hash(payload));
}

std::optional<NoiseInitiator::Completed> NoiseInitiator::completed(ByteSpan second) const {
  ByteReader reader{second};
  const ByteSpan ephemeral = reader.bytes(sizeof(PublicKey));
  if (reader.failed()) return std::nullopt;
  const PublicKey theirs = read_key(ephemeral);
  NoiseState state = state_;
  mix_ephemeral(state, theirs);
  if (!mix_exchanged(state, ephemeral_, theirs) || !mix_exchanged(state, identity_.own, theirs)) return std::nullopt;
  state.mix_key_and_hash(identity_.shared.bytes());
  auto payload = state.decrypt_and_hash(reader.rest());
  if (!payload) return std::nullopt;
  const auto [ours, of_responder] = state.split();
  return Completed{*std::move(payload), {ours, of_responder}, copied(state.hash())};
}

NoiseResponder::NoiseResponder(ByteSpan prologue) : state_{kProtocol, prologue} {}

std::optional<NoiseResponder> NoiseResponder::answering(const KeyPair& own, ByteSpan prologue, ByteSpan first) {
  ByteReader reader{first};
  const ByteSpan ephemeral = reader.bytes(sizeof(PublicKey));
  const ByteSpan sealed_key = reader.bytes(sizeof(PublicKey) + NoiseState::kTagSize);
  if (reader.failed()) return std::nullopt;

  NoiseResponder made{prologue};
  NoiseState& state = made.state_;
  state.mix_hash(own.public_key());
  made.their_ephemeral_ = read_key(ephemeral);
  mix_ephemeral(state, made.their_ephemeral_);
  if (!mix_exchanged(state, own, made.their_ephemeral_)) return std::nullopt;
  const auto initiator = state.decrypt_and_hash(sealed_key);
  if (!initiator) return std::nullopt;
  made.initiator_ = read_key(*initiator);
  if (!mix_exchanged(state, own, made.initiator_)) return std::nullopt;
  auto payload = state.decrypt_and_hash(reader.rest());
  if (!payload) return std::nullopt;
  made.payload_ = *std::move(payload);
  return made;
}

std::optional<NoiseResponder::Completed> NoiseResponder::completed(const PresharedKey& shared, ByteSpan payload,
                                                                   const KeyPair& ephemeral) const {
  NoiseState state = state_;
  Bytes second;
  mix_ephemeral(state, ephemeral.public_key());
  append(second, ephemeral.public_key());
  if (!mix_exchanged(state, ephemeral, their_ephemeral_) || !mix_exchanged(state, ephemeral, initiator_))
    return std::nullopt;
  state.mix_key_and_hash(shared.bytes());
  append(second, state.encrypt_and_hash(payload));
  const auto [of_initiator, ours] = state.split();
  return Completed{std::move(second), {ours, of_initiator}, copied(state.hash())};
}

}  // namespace tributary::bonding
