#pragma once

#include <optional>

#include "bonding/handshake/key_pair.hh"
#include "bonding/handshake/keyed_hash.hh"
#include "bonding/wire/packet_header.hh"
#include "units/data_size.hh"

namespace tributary::bonding {

/// The datagrams that begin a connection, or renew its keys.
///
///   client                                           relay
///   Hello   first message of Noise, no cookie  ->             keeps nothing
///                                              <-     Retry   cookie
///   Hello   the same, with the cookie          ->             knows the address; makes a connection, or keys for one
///                                              <-     Welcome second message of Noise: connection, inner addresses
///   sealed packets of the new keys             <->
///
/// - noise.hh authenticates both: the client by its key pair, the relay by its own. One client's key opens nothing of
///   others, and lets nobody pose as the relay.
/// - A Hello tells when it was made, and is answered only if that is later than what the relay knows of this client. One that
///   was recorded gets no answer. Nor does any that was made without the relay's public key, or by a client that is not in
///   the relay's list.
/// - Forward secret: the keys come of ephemeral keys, of both sides.
/// - No amplification: an answer is smaller than a Hello. A cookie is hashed with the address, so that nothing is kept
///   for one that was forged.
/// - The first messages have the version in their prologue: those of another one make nothing together.
///
/// Anybody who knows the relay's public key can make what only the following keys authenticate: a Retry, or a Hello that is
/// asked back when there are too many of them.
struct PublicKeyHashes {
  HashKey hello, retry;
};
PublicKeyHashes hashes_of(const PublicKey& relay);

/// What Noise must be told besides its messages.
Bytes handshake_prologue();

/// When a client made a Hello: microseconds since 1970, later each time.
enum class HelloTime : std::uint64_t {};

/// The payload of a client's message of Noise, which is the first.
struct HelloPayload {
  static constexpr std::size_t kSize = 13;

  HelloTime made_at{};
  std::optional<ConnectionId> renews{};  // whose keys are to be made anew; nothing: a connection is to begin

  bool operator==(const HelloPayload&) const = default;
};
Bytes write_hello_payload(const HelloPayload& payload);
std::optional<HelloPayload> read_hello_payload(ByteSpan bytes);

struct Hello {
  ByteSpan noise;  // borrowed from the datagram
  PublicKey ephemeral{};
  std::optional<Tag> cookie;
};
Bytes write_hello(ByteSpan noise, const std::optional<Tag>& cookie, const PublicKeyHashes& relay);
/// Nothing unless somebody who knows the relay's public key made it.
std::optional<Hello> read_hello(ByteSpan datagram, const PublicKeyHashes& relay);

/// The answer to the Hello with this ephemeral key.
Bytes write_retry(const Tag& cookie, const PublicKey& hello, const PublicKeyHashes& relay);
std::optional<Tag> read_retry(ByteSpan datagram, const PublicKey& hello, const PublicKeyHashes& relay);

/// The addresses of a client inside of the tunnel, and the largest packet that goes through it.
struct Assignment {
  ConnectionId connection{};
  std::array<std::byte, 4> ipv4{};
  std::array<std::byte, 16> ipv6{};  // all 0: none
  DataSize mtu{};

  bool operator==(const Assignment&) const = default;
};
/// The payload of a relay's message of Noise, which is the second.
struct WelcomePayload {
  static constexpr std::size_t kSize = 27;

  Assignment assignment;
  KeyGeneration generation{};  // of the new keys
};
Bytes write_welcome_payload(const WelcomePayload& payload);
std::optional<WelcomePayload> read_welcome_payload(ByteSpan bytes);

Bytes write_welcome(ByteSpan noise);
/// Borrowed from the datagram. Nothing if it has another kind.
std::optional<ByteSpan> read_welcome(ByteSpan datagram);

}  // namespace tributary::bonding
