#pragma once

#include <optional>

#include "bonding/handshake/peer_address.hh"
#include "bonding/wire/message.hh"

namespace tributary::bonding {

/// Where the peer of one path is. An address is believed when a token has come back that was sent to it. Until then no more
/// bytes go there than have come from there: whoever forges an address makes nobody send anything to it.
///
/// When a new packet comes from elsewhere (a NAT has forgotten its mapping, or a link has another address), the old address
/// holds until the new one has proved itself (RFC 9000 section 9.3).
class PathAddress {
 public:
  /// `proven`: the handshake has shown that the peer receives there.
  PathAddress(const PeerAddress& address, bool proven) : address_{address}, proven_{proven} {}

  const PeerAddress& address() const { return address_; }
  bool proven() const { return proven_; }

  /// A packet of the peer came. `newest`: none with a higher number came before it. True: it came from a new address, which is
  /// to be challenged, as far as may_send() lets that.
  bool came_from(const PeerAddress& from, DataSize size, bool newest);
  /// Where the next challenge goes, and with which token.
  struct Challenge {
    PeerAddress to;
    ChallengeToken token;
  };
  Challenge challenge();
  /// A token came back. True: it is that of the last challenge. The address that it went to is now the path's.
  bool answered(const ChallengeToken& token);

  /// Whether a datagram of this size may be sent there now; it counts as sent.
  bool may_send(const PeerAddress& to, DataSize size);

 private:
  PeerAddress address_;
  bool proven_;
  std::optional<PeerAddress> candidate_;  // a new address
  DataSize credit_;                       // bytes that may be sent to the one that is not proven
  std::optional<Challenge> challenge_;
};

}  // namespace tributary::bonding
