#include "lending/cpace.hh"

#include <stdexcept>

namespace tributary::lending {
namespace {

using bonding::as_unsigned;
using bonding::Bytes;
using bonding::ByteSpan;

constexpr std::string_view kDomain = "CPaceRistretto255", kKeyDomain = "CPaceRistretto255_ISK";
constexpr std::size_t kHashBlock = 128;  // of SHA-512: the password fills the first one

ByteSpan bytes_of(std::string_view text) { return std::as_bytes(std::span{text}); }

/// The length (LEB128) and the bytes: prepend_len() of the draft.
void append(Bytes& to, ByteSpan bytes) {
  for (std::size_t left = bytes.size();; left >>= 7U) {
    const bool last = left < 0x80;
    to.push_back(static_cast<std::byte>((left & 0x7fU) | (last ? 0U : 0x80U)));
    if (last) break;
  }
  to.insert(to.end(), bytes.begin(), bytes.end());
}

Cpace::Key hash(const Bytes& bytes) {
  Cpace::Key result;
  crypto_hash_sha512(result.data(), as_unsigned(bytes), bytes.size());
  return result;
}

Cpace::Share generator(const Cpace::Terms& terms) {
  Bytes text;
  append(text, bytes_of(kDomain));
  append(text, bytes_of(terms.password));
  const Bytes padding(text.size() + 1 < kHashBlock ? kHashBlock - 1 - text.size() : 0);
  append(text, padding);
  append(text, terms.channel);
  append(text, terms.session_id);
  const Cpace::Key hashed = hash(text);
  sodium_memzero(text.data(), text.size());
  Cpace::Share point{};
  crypto_core_ristretto255_from_hash(as_unsigned(point.data()), hashed.data());
  return point;
}

Cpace::Scalar random_scalar() {
  if (sodium_init() < 0) throw std::runtime_error{"libsodium cannot be used"};
  Cpace::Scalar scalar;
  crypto_core_ristretto255_scalar_random(scalar.data());
  return scalar;
}

}  // namespace

Cpace::Cpace(Role role, const Terms& terms, ByteSpan own_data) : Cpace{role, terms, own_data, random_scalar()} {}

Cpace::Cpace(Role role, const Terms& terms, ByteSpan own_data, const Scalar& scalar)
    : role_{role},
      session_id_(terms.session_id.begin(), terms.session_id.end()),
      own_data_(own_data.begin(), own_data.end()),
      scalar_{scalar} {
  const Share base = generator(terms);
  if (crypto_scalarmult_ristretto255(as_unsigned(share_.data()), scalar_.data(), as_unsigned(base)) != 0)
    throw std::runtime_error{"the scalar makes no share"};
}

std::optional<Cpace::Key> Cpace::key_with(const Share& other, ByteSpan other_data) const {
  bonding::Secret<crypto_core_ristretto255_BYTES> secret;
  if (crypto_scalarmult_ristretto255(secret.data(), scalar_.data(), as_unsigned(other)) != 0) return std::nullopt;
  Bytes text;
  append(text, bytes_of(kKeyDomain));
  append(text, session_id_);
  append(text, secret.bytes());
  const auto append_side = [&text](const Share& share, ByteSpan data) {
    append(text, share);
    append(text, data);
  };
  if (role_ == Role::kInitiator) append_side(share_, own_data_);
  append_side(other, other_data);
  if (role_ == Role::kResponder) append_side(share_, own_data_);
  Key key = hash(text);
  sodium_memzero(text.data(), text.size());
  return key;
}

}  // namespace tributary::lending
