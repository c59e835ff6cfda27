#pragma once

#include <optional>

#include "bonding/wire/bytes.hh"
#include "bonding/wire/message.hh"
#include "bonding/wire/packet_header.hh"
#include "bonding/wire/secret.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// Seals the packets of one direction of a connection: XChaCha20-Poly1305 (IETF), the header as additional data, and
/// path and sequence number as the nonce. The caller must never use a pair of them twice; each direction has a key of
/// its own (handshake/session_keys.hh).
class Sealer {
 public:
  explicit Sealer(const SessionKey& key) : key_{key} {}

  /// The whole datagram.
  Bytes seal(const PacketHeader& header, ByteSpan plain) const;

 private:
  SessionKey key_;
};

/// Opens them. It remembers nothing: packets that come again are the business of ReplayWindow.
class Opener {
 public:
  explicit Opener(const SessionKey& key) : key_{key} {}

  /// Nothing unless header and contents are as they were sealed. `header` is read_header() of the datagram.
  std::optional<Bytes> open(const PacketHeader& header, ByteSpan datagram) const;

 private:
  SessionKey key_;
};

/// The bytes that sealing adds to the plain contents.
constexpr DataSize kSealedOverhead{PacketHeader::kSize + crypto_aead_xchacha20poly1305_ietf_ABYTES};

/// The datagram that carries an inner packet has this many bytes.
constexpr DataSize datagram_size(DataSize inner_packet) { return inner_packet + kInnerHeader + kSealedOverhead; }

}  // namespace tributary::bonding
