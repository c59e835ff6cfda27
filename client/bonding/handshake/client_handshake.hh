#pragma once

#include <map>
#include <optional>

#include "bonding/handshake/handshake_datagrams.hh"
#include "bonding/handshake/noise.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// The client's part in the beginning of a connection, or of new keys for one. Hellos go over all paths, each with the cookie
/// of that path: the relay sees another address on each. They have one message of Noise, so that they make one connection.
class ClientHandshake {
 public:
  ClientHandshake(const ClientIdentity& identity, const HelloPayload& payload)
      : relay_{hashes_of(identity.relay)},
        renews_{payload.renews},
        noise_{identity, handshake_prologue(), write_hello_payload(payload)} {}

  /// When the Hello is to be sent next over this path. The gaps double from 250 ms to 4 s.
  TimePoint next_hello(PathId path) const;
  /// The Hello for this path, which counts as sent.
  Bytes hello(PathId path, TimePoint now);

  struct Welcomed {
    WelcomePayload welcome;
    SessionKeys keys;
  };
  /// Takes in an answer of the relay; other datagrams change nothing. With the first cookie of a path, its next Hello is
  /// due at once.
  std::optional<Welcomed> answered(PathId path, ByteSpan datagram, TimePoint now);

  /// The connection that is to get new keys; nothing: a new one is to begin.
  const std::optional<ConnectionId>& renews() const { return renews_; }

 private:
  static constexpr Duration kFirstGap = std::chrono::milliseconds{250};
  struct Attempts {
    std::optional<Tag> cookie;
    TimePoint next{};
    Duration gap = kFirstGap;
  };

  PublicKeyHashes relay_;
  std::optional<ConnectionId> renews_;
  NoiseInitiator noise_;
  std::map<PathId, Attempts> attempts_;
};

}  // namespace tributary::bonding
