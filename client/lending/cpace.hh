#pragma once

#include <sodium.h>

#include <array>
#include <optional>
#include <string_view>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/secret.hh"

namespace tributary::lending {

/// One side of a password-authenticated key exchange: CPace over ristretto255 with SHA-512, between an initiator and a
/// responder (draft-irtf-cfrg-cpace). Both sides have the same key if both know the same password. Whoever does not know
/// it learns with each exchange whether one guess is right, and nothing that other guesses could be tried on.
class Cpace {
 public:
  enum class Role { kInitiator, kResponder };
  using Scalar = bonding::Secret<crypto_core_ristretto255_SCALARBYTES>;
  using Share = std::array<std::byte, crypto_core_ristretto255_BYTES>;
  using Key = bonding::Secret<crypto_hash_sha512_BYTES>;

  /// What both sides must agree on.
  struct Terms {
    std::string_view password;
    bonding::ByteSpan channel;     // who talks with whom (CI)
    bonding::ByteSpan session_id;  // of this exchange alone (sid)
  };

  /// With a scalar from the system's source of randomness. `own_data` is told to the other side beside the share (AD).
  Cpace(Role role, const Terms& terms, bonding::ByteSpan own_data);
  Cpace(Role role, const Terms& terms, bonding::ByteSpan own_data, const Scalar& scalar);

  /// What the other side is told.
  const Share& share() const { return share_; }
  /// The key (ISK). Nothing if the share of the other side is one that nobody makes who keeps to the protocol.
  std::optional<Key> key_with(const Share& other, bonding::ByteSpan other_data) const;

 private:
  Role role_;
  bonding::Bytes session_id_, own_data_;
  Scalar scalar_;
  Share share_{};
};

}  // namespace tributary::lending
