#pragma once

#include <deque>

#include "bonding/client_end.hh"
#include "bonding/relay_end.hh"

namespace tributary::bonding::testing {

/// Many clients of one relay in virtual time, each at an address of its own. Datagrams arrive at once, in order.
class SimulatedCrowd {
 public:
  /// A relay whose list has this many clients.
  explicit SimulatedCrowd(std::size_t clients);

  /// A program of this client begins, at an address where no other one is, with the clock of all.
  ClientEnd& begin(std::size_t client);
  void run_until(TimePoint end);

  const ClientIdentity& identity(std::size_t client) const { return identities_[client]; }
  ClientList list_without(std::size_t client) const;
  std::size_t connected() const;

  RelayIdentity relay_identity = RelayIdentity::random();
  TimePoint now{std::chrono::hours{1}};
  /// What the clients send.
  std::vector<std::pair<PeerAddress, Bytes>> recorded;
  bool records = false;

 private:
  std::vector<ClientIdentity> identities_;
  std::deque<ClientEnd> programs_;

 public:
  RelayEnd relay;

 private:
  bool exchange();
};

}  // namespace tributary::bonding::testing
