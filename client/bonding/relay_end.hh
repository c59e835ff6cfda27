#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bonding/connection.hh"
#include "bonding/handshake/relay_handshake.hh"
#include "bonding/inner/address_pool.hh"

namespace tributary::bonding {

/// The relay's end of all tunnels: datagrams of any client in and out, inner packets of all clients in and out. Each client
/// has addresses of its own, and nothing with another source comes out of its tunnel.
///
/// A client is kept when it has shown that it knows the key and receives at its address. If it does not use the connection
/// within 5 s, or falls silent for 3 minutes, it is forgotten, as is the oldest unused one of more than 64.
class RelayEnd {
 public:
  static constexpr std::uint16_t kMostClients = 1'000;
  static constexpr std::size_t kMostUnused = 64;

  RelayEnd(const PresharedKey& key, const InnerNetwork& network, const BondingOptions& options);

  void packet(Bytes packet, TimePoint now);
  void datagram(const PeerAddress& from, ByteSpan datagram, TimePoint now);
  /// Tells all clients that nothing follows.
  void close(TimePoint now);

  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::vector<OutgoingDatagram> take_datagrams() { return std::exchange(datagrams_, {}); }
  std::vector<Bytes> take_packets() { return std::exchange(packets_, {}); }

  std::size_t clients() const { return clients_.size(); }
  /// Nothing if there is no such client.
  const Connection* connection(ConnectionId id) const;

 private:
  struct Client {
    Connection connection;
    HostNumber host{};
    PublicKey public_key{};
    Bytes welcome;
    TimePoint made_at{};
    TimePoint deadline{};  // as in deadlines_

    bool used() const { return connection.heard_at() != TimePoint{}; }
  };
  using Clients = std::map<ConnectionId, Client>;

  void hello(const PeerAddress& from, ByteSpan datagram, TimePoint now);
  void welcome(const PeerAddress& from, const PublicKey& public_key, TimePoint now);
  /// Nothing if there is no room for another one.
  Client* make_client(const PeerAddress& from, const PublicKey& public_key, TimePoint now);
  void make_room();
  void forget(Clients::iterator client);
  ConnectionId free_id() const;

  TimePoint ends_at(const Client& client) const;
  /// Takes along what the client's connection has, and notes its deadline.
  void collect(Client& client);

  PresharedKey key_;
  InnerNetwork network_;
  BondingOptions options_;
  RelayHandshake handshake_;
  AddressPool addresses_{kMostClients};
  Clients clients_;
  std::map<HostNumber, ConnectionId> by_host_;
  std::map<PublicKey, ConnectionId> by_key_;
  std::set<std::pair<TimePoint, ConnectionId>> deadlines_;

  std::vector<OutgoingDatagram> datagrams_;
  std::vector<Bytes> packets_;
};

}  // namespace tributary::bonding
