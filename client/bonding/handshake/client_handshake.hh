#pragma once

#include <map>
#include <optional>

#include "bonding/handshake/handshake_datagrams.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// The client's part in the beginning of a connection. Hellos go over all paths, each with the cookie of that path: the
/// relay sees another address on each. They have one public key, so that they make one connection.
class ClientHandshake {
 public:
  explicit ClientHandshake(const PresharedKey& shared) : shared_{shared} {}

  /// When the Hello is to be sent next over this path. The gaps double from 250 ms to 4 s.
  TimePoint next_hello(PathId path) const;
  /// The Hello for this path, which counts as sent.
  Bytes hello(PathId path, TimePoint now);

  /// Takes in an answer of the relay; other datagrams change nothing. With the first cookie of a path, its next Hello is
  /// due at once.
  std::optional<Welcome> answered(PathId path, ByteSpan datagram, TimePoint now);

 private:
  static constexpr Duration kFirstGap = std::chrono::milliseconds{250};
  struct Attempts {
    std::optional<Tag> cookie;
    TimePoint next{};
    Duration gap = kFirstGap;
  };

  PresharedKey shared_;
  EphemeralKey key_;
  std::map<PathId, Attempts> attempts_;
};

}  // namespace tributary::bonding
