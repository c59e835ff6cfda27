#pragma once

#include <map>
#include <string>
#include <vector>

#include "bonding/handshake/handshake_datagrams.hh"
#include "bonding/handshake/rate_limit.hh"

namespace tributary::bonding {

/// The names of those who may use a relay.
using ClientList = std::map<PublicKey, std::string>;

/// Which clients a relay lets in, and how often each may begin anew. It keeps something of a client only once that has shown
/// that it has its private key, and receives at its address.
class Admission {
 public:
  explicit Admission(ClientList clients) : clients_{std::move(clients)} {}

  /// Replaces the list. A client on both lists keeps its newest Hello and how often it has begun; a client that is on the
  /// old list only is forgotten.
  void let_in(ClientList clients);
  bool knows(const PublicKey& client) const { return clients_.contains(client); }
  const ClientList& clients() const { return clients_; }

  /// The Hello was made later than all that were admitted before.
  bool is_new(const PublicKey& client, HelloTime made_at) const;
  /// Takes in a Hello, which is_new(). False: this client has begun too often by now.
  bool admits(const PublicKey& client, HelloTime made_at, TimePoint now);

 private:
  static constexpr Duration kGap = std::chrono::seconds{1};
  static constexpr int kBurst = 10;
  struct Known {
    HelloTime newest{};
    RateLimit begins{kGap, kBurst};
  };

  ClientList clients_;
  std::map<PublicKey, Known> known_;
};

}  // namespace tributary::bonding
