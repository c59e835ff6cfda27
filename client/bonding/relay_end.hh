#pragma once

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "bonding/connection.hh"
#include "bonding/handshake/admission.hh"
#include "bonding/handshake/relay_handshake.hh"
#include "bonding/inner/address_pool.hh"

namespace tributary::bonding {

/// The relay's end of all tunnels: datagrams of any client in and out, inner packets of all clients in and out. Each client
/// has addresses of its own, and nothing with another source comes out of its tunnel.
///
/// A connection is kept when its client has shown that it is in the list and receives at its address. If it is not used
/// within 5 s, falls silent for 3 minutes, or has no new keys for 6, it is forgotten.
///
/// There is room for kMostConnections. A client has at most kMostOfClient of them: its next one takes the place of one that it
/// has not used, or of its most silent one. When all are taken, a client without any takes one of the client with most.
class RelayEnd {
 public:
  static constexpr std::uint16_t kMostConnections = 1'000;
  static constexpr std::size_t kMostOfClient = 4;

  struct Options {
    RelayIdentity identity;
    ClientList clients;
    InnerNetwork network{};
    BondingOptions bonding{};
  };
  explicit RelayEnd(Options options);

  /// Another list. Connections of clients that are not in it end.
  void let_in(ClientList clients, TimePoint now);

  void packet(Bytes packet, TimePoint now);
  /// `came_at`: as Connection::arrived() says.
  void datagram(const PeerAddress& from, ByteSpan datagram, TimePoint now,
                std::optional<TimePoint> came_at = std::nullopt);
  /// Tells all clients that nothing follows.
  void close(TimePoint now);

  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::vector<OutgoingDatagram> take_datagrams() { return std::exchange(datagrams_, {}); }
  std::vector<Bytes> take_packets() { return std::exchange(packets_, {}); }

  std::size_t clients() const { return connections_of_.size(); }
  std::size_t connections() const { return clients_.size(); }
  /// Nothing if there is no such connection.
  const Connection* connection(ConnectionId id) const;

 private:
  struct Client {
    Connection connection;
    HostNumber host{};
    PublicKey public_key{};
    PublicKey hello{};  // the ephemeral key of the last one
    Bytes welcome{};    // the answer to it
    KeyGeneration offered{};
    TimePoint made_at{}, renewed_at{};
    TimePoint deadline{};  // as in deadlines_

    bool used() const { return connection.heard_at() != TimePoint{}; }
    /// It has shown that the last Welcome has come.
    bool has_the_keys() const { return used() && connection.keys()->sealing() == offered; }
  };
  using Clients = std::map<ConnectionId, Client>;

  void hello(const PeerAddress& from, ByteSpan datagram, TimePoint now);
  void admitted(const RelayHandshake::Asked& asked, const PeerAddress& from, TimePoint now);
  /// Whose answer to this very Hello has not come yet, as far as we know. The end: nobody's.
  Clients::iterator waiting_for(const PublicKey& ephemeral);
  /// Nothing if there is no room for another one, or the Hello makes no keys.
  Client* make_client(const RelayHandshake::Asked& asked, const PeerAddress& from, TimePoint now);
  Client* renew(const RelayHandshake::Asked& asked, TimePoint now);
  void make_room(const PublicKey& public_key);
  /// One that it has not used, or else the most silent one.
  Clients::iterator least_needed_of(const PublicKey& public_key);
  Assignment assignment_of(ConnectionId id, HostNumber host) const;
  void forget(Clients::iterator client);
  ConnectionId free_id() const;

  TimePoint ends_at(const Client& client) const;
  /// Takes along what the client's connection has, and notes its deadline.
  void collect(Client& client);

  InnerNetwork network_;
  BondingOptions options_;
  RelayHandshake handshake_;
  Admission admission_;
  AddressPool addresses_{kMostConnections};
  Clients clients_;
  std::map<HostNumber, ConnectionId> by_host_;
  std::map<PublicKey, std::size_t> connections_of_;
  std::set<std::pair<TimePoint, ConnectionId>> deadlines_;

  std::vector<OutgoingDatagram> datagrams_;
  std::vector<Bytes> packets_;
};

}  // namespace tributary::bonding
