#pragma once

#include <optional>

#include "bonding/handshake/keyed_hash.hh"
#include "bonding/handshake/session_keys.hh"
#include "bonding/wire/packet_header.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// The three datagrams that begin a connection.
///
///   client                                         relay
///   Hello   public key, no cookie           ->             keeps nothing
///                                           <-     Retry   cookie
///   Hello   the same, with the cookie       ->             knows the address; makes a connection
///                                           <-     Welcome public key, sealed: connection, inner addresses
///   sealed packets of the new keys          <->
///
/// - Authenticated by the preshared key: it hashes Hello and Retry, and is part of the keys that seal the Welcome. Whoever
///   lacks it gets no answer at all, and no state.
/// - Forward secret: the keys come of an exchange of ephemeral keys. The preshared key of tomorrow opens no packet of today.
/// - No amplification: an answer is smaller than a Hello. One that is recorded and sent again gets a Retry, since the cookie
///   is hashed with it, and belongs to the address that it was sent to.
/// - Everybody with the key can pose as the relay. A relay gives its key to those whom it trusts with that.
///
/// This is the pattern NNpsk0 of the Noise framework, built of libsodium's documented parts, with a cookie before it.
struct Hello {
  static constexpr std::size_t kSize = 256;  // padded, so that each answer is smaller

  PublicKey public_key{};
  std::optional<Tag> cookie;
};
Bytes write_hello(const Hello& hello, const PresharedKey& shared);
/// Nothing unless somebody who knows the key made it.
std::optional<Hello> read_hello(ByteSpan datagram, const PresharedKey& shared);

/// The answer to the Hello with this public key.
Bytes write_retry(const Tag& cookie, const PublicKey& hello, const PresharedKey& shared);
std::optional<Tag> read_retry(ByteSpan datagram, const PublicKey& hello, const PresharedKey& shared);

/// The addresses of a client inside of the tunnel, and the largest packet that goes through it.
struct Assignment {
  ConnectionId connection{};
  std::array<std::byte, 4> ipv4{};
  std::array<std::byte, 16> ipv6{};  // all 0: none
  DataSize mtu{};

  bool operator==(const Assignment&) const = default;
};
struct Welcome {
  Assignment assignment;
  SessionKeys keys;
};
Bytes write_welcome(const Assignment& assignment, const PublicKey& relay, const SessionKeys& keys);
/// The answer to a Hello with the public key of `own`.
std::optional<Welcome> read_welcome(ByteSpan datagram, const EphemeralKey& own, const PresharedKey& shared);

/// Packets of a connection never have this path: its nonce is that of the Welcome.
constexpr PathId kHandshakePath{255};

}  // namespace tributary::bonding
