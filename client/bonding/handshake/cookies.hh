#pragma once

#include <array>

#include "bonding/handshake/keyed_hash.hh"
#include "bonding/handshake/peer_address.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// Proofs that a client receives at the address that it sends from. The relay keeps none of them: it makes them anew from
/// the address, the client's public key, and a secret that changes. A cookie is valid for one to two minutes.
class Cookies {
 public:
  Cookies();

  Tag cookie(const PeerAddress& address, ByteSpan public_key, TimePoint now);
  bool is_valid(const Tag& cookie, const PeerAddress& address, ByteSpan public_key, TimePoint now);

 private:
  void renew(TimePoint now);

  std::array<HashKey, 2> secrets_;  // of now, and of the minute before
  TimePoint since_{};
};

}  // namespace tributary::bonding
