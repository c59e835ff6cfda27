#pragma once

#include <variant>

#include "bonding/handshake/cookies.hh"
#include "bonding/handshake/handshake_datagrams.hh"

namespace tributary::bonding {

/// The relay's part in the beginning of connections. It keeps nothing of any client.
class RelayHandshake {
 public:
  explicit RelayHandshake(const PresharedKey& shared) : shared_{shared} {}

  struct Ignored {};
  struct AskBack {
    Bytes retry;
  };
  struct Proven {
    PublicKey client;
  };
  /// A Hello with a valid cookie proves that the client knows the key, and receives at `from`.
  std::variant<Ignored, AskBack, Proven> examine(ByteSpan datagram, const PeerAddress& from, TimePoint now);

  struct Welcomed {
    Bytes welcome;  // to be sent again, and not made again, for the same public key
    SessionKeys keys;
  };
  /// Nothing if the public key makes no secret.
  std::optional<Welcomed> welcome(const PublicKey& client, const Assignment& assignment) const;

 private:
  PresharedKey shared_;
  Cookies cookies_;
};

}  // namespace tributary::bonding
