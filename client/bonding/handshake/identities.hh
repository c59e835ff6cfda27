#pragma once

#include <algorithm>

#include "bonding/handshake/key_pair.hh"
#include "bonding/handshake/keyed_hash.hh"

namespace tributary::bonding {

/// A secret of one client and its relay, beside their key pairs: whoever breaks X25519 one day still lacks it.
using PresharedKey = Secret<32>;

/// All that a client has to know: who it is, and which relay it trusts.
struct ClientIdentity {
  KeyPair own;
  PublicKey relay{};
  PresharedKey shared;
};

/// All that a relay has to keep secret. Who may use it is in a list that has no secrets in it.
struct RelayIdentity {
  KeyPair own;
  Secret<32> pairing;

  static RelayIdentity random() {
    RelayIdentity made{KeyPair::random(), {}};
    randombytes_buf(made.pairing.data(), made.pairing.kSize);
    return made;
  }

  /// The secret of this relay and one client. It is not kept, but made anew from that of the relay.
  PresharedKey shared_with(const PublicKey& client) const {
    PresharedKey shared;
    Tag tag = keyed_hash(pairing, {client});
    std::copy_n(as_unsigned(tag.data()), PresharedKey::kSize, shared.data());
    sodium_memzero(tag.data(), tag.size());
    return shared;
  }
  ClientIdentity new_client() const {
    const KeyPair client = KeyPair::random();
    return {client, own.public_key(), shared_with(client.public_key())};
  }
};

}  // namespace tributary::bonding
