#include "bonding/handshake/noise_state.hh"

#include <algorithm>
#include <cassert>
#include <initializer_list>

namespace tributary::bonding {
namespace {

using Digest = Secret<NoiseState::kHashSize>;
constexpr std::size_t kBlock = 128;  // of BLAKE2b

Digest hashed(std::initializer_list<ByteSpan> parts) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, nullptr, 0, Digest::kSize);
  for (const ByteSpan part : parts) crypto_generichash_update(&state, as_unsigned(part), part.size());
  Digest digest;
  crypto_generichash_final(&state, digest.data(), Digest::kSize);
  sodium_memzero(&state, sizeof state);
  return digest;
}

/// HMAC (RFC 2104), which Noise takes with every hash, also with those that know keys of their own.
Digest authenticated(const Digest& key, std::initializer_list<ByteSpan> parts) {
  constexpr unsigned char kInner = 0x36, kOuter = 0x5c;
  Secret<kBlock> inner, outer;
  std::fill_n(inner.data(), kBlock, kInner);
  std::fill_n(outer.data(), kBlock, kOuter);
  for (std::size_t i = 0; i < Digest::kSize; ++i) {
    inner.data()[i] ^= key.data()[i];
    outer.data()[i] ^= key.data()[i];
  }
  Bytes message;
  for (const ByteSpan part : parts) message.insert(message.end(), part.begin(), part.end());
  const Digest first = hashed({inner.bytes(), message});
  sodium_memzero(message.data(), message.size());
  return hashed({outer.bytes(), first.bytes()});
}

/// HKDF as Noise has it (section 4.3): as many digests as are wanted.
template <std::size_t kCount>
std::array<Digest, kCount> derived(const Digest& chaining_key, ByteSpan secret) {
  const Digest root = authenticated(chaining_key, {secret});
  std::array<Digest, kCount> made;
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::array<std::byte, 1> number{static_cast<std::byte>(i + 1)};
    made[i] = authenticated(root, {i == 0 ? ByteSpan{} : made[i - 1].bytes(), number});
  }
  return made;
}

SessionKey first_half(const Digest& digest) {
  SessionKey key;
  std::copy_n(digest.data(), SessionKey::kSize, key.data());
  return key;
}

}  // namespace

NoiseState::NoiseState(std::string_view protocol, ByteSpan prologue) {
  assert(protocol.size() <= kHashSize);
  std::ranges::copy(protocol, hash_.data());
  chaining_key_ = hash_;
  mix_hash(prologue);
}

void NoiseState::mix_hash(ByteSpan bytes) { hash_ = hashed({hash_.bytes(), bytes}); }

void NoiseState::key_from(const Digest& digest) {
  key_ = first_half(digest);
  next_ = 0;
}

void NoiseState::mix_key(ByteSpan secret) {
  const auto made = derived<2>(chaining_key_, secret);
  chaining_key_ = made[0];
  key_from(made[1]);
}

void NoiseState::mix_key_and_hash(ByteSpan secret) {
  const auto made = derived<3>(chaining_key_, secret);
  chaining_key_ = made[0];
  mix_hash(made[1].bytes());
  key_from(made[2]);
}

/// Four zeros, and the number with its least significant byte first.
NoiseState::Nonce NoiseState::next_nonce() {
  Nonce nonce{};
  std::uint64_t number = next_++;
  for (auto byte = nonce.begin() + 4; number != 0; ++byte, number >>= 8) *byte = static_cast<unsigned char>(number);
  return nonce;
}

Bytes NoiseState::encrypt_and_hash(ByteSpan plain) {
  Bytes sealed(plain.size() + kTagSize);
  crypto_aead_chacha20poly1305_ietf_encrypt(as_unsigned(sealed.data()), nullptr, as_unsigned(plain), plain.size(),
                                            hash_.data(), kHashSize, nullptr, next_nonce().data(), key_.data());
  mix_hash(sealed);
  return sealed;
}

std::optional<Bytes> NoiseState::decrypt_and_hash(ByteSpan sealed) {
  if (sealed.size() < kTagSize) return std::nullopt;
  Bytes plain(sealed.size() - kTagSize);
  const int refused = crypto_aead_chacha20poly1305_ietf_decrypt(as_unsigned(plain.data()), nullptr, nullptr,
                                                                as_unsigned(sealed), sealed.size(), hash_.data(),
                                                                kHashSize, next_nonce().data(), key_.data());
  if (refused != 0) return std::nullopt;
  mix_hash(sealed);
  return plain;
}

std::pair<SessionKey, SessionKey> NoiseState::split() const {
  const auto made = derived<2>(chaining_key_, {});
  return {first_half(made[0]), first_half(made[1])};
}

}  // namespace tributary::bonding
