#pragma once

#include <variant>

#include "bonding/handshake/cookies.hh"
#include "bonding/handshake/handshake_datagrams.hh"
#include "bonding/handshake/noise.hh"
#include "bonding/handshake/rate_limit.hh"

namespace tributary::bonding {

/// The relay's part in the beginning of connections. It keeps nothing of any client.
class RelayHandshake {
 public:
  explicit RelayHandshake(const RelayIdentity& identity)
      : identity_{identity}, hashes_{hashes_of(identity.own.public_key())}, prologue_{handshake_prologue()} {}

  struct Ignored {};
  /// There are too many to look into each: to be asked back, whoever it is.
  struct TooMany {
    PublicKey ephemeral{};
  };
  /// Of somebody who has the private key of `noise.initiator()`. `proven`: its cookie shows that it receives at `from`.
  struct Asked {
    NoiseResponder noise;
    HelloPayload payload;
    bool proven = false;
  };
  using Examined = std::variant<Ignored, TooMany, Asked>;
  Examined examine(ByteSpan datagram, const PeerAddress& from, TimePoint now);

  /// The question for a cookie, to the Hello with this ephemeral key.
  Bytes retry(const PublicKey& ephemeral, const PeerAddress& from, TimePoint now);

  struct Welcomed {
    Bytes welcome;  // to be sent again, and not made again, for the same Hello
    SessionKeys keys;
  };
  /// Nothing if the client's keys make no secret.
  std::optional<Welcomed> welcome(const NoiseResponder& noise, const WelcomePayload& payload) const;

 private:
  // Two exchanges of keys take about a fifth of a millisecond.
  static constexpr Duration kGap = std::chrono::milliseconds{1};
  static constexpr int kBurst = 1000;

  RelayIdentity identity_;
  PublicKeyHashes hashes_;
  Bytes prologue_;
  Cookies cookies_;
  RateLimit unproven_{kGap, kBurst};
};

}  // namespace tributary::bonding
