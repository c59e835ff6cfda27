#pragma once

#include <map>
#include <optional>
#include <vector>

#include "bonding/connection.hh"
#include "bonding/handshake/client_handshake.hh"

namespace tributary::bonding {

/// The client's end of a tunnel: links come and go, inner packets and datagrams go in and out, and it wants to be woken at one
/// next deadline. The first link that reaches the relay makes the connection; the others join it.
///
/// When no path has answered for 10 s (the relay may have begun anew, and know nothing of us), it tries a new handshake beside
/// the old connection. Either one that answers first goes on. Every two minutes it makes new keys for the connection.
class ClientEnd {
 public:
  ClientEnd(const ClientIdentity& identity, const BondingOptions& options) : identity_{identity}, options_{options} {}

  /// The time of day, which handshakes tell. Until it is told, they count from the beginning of our own time.
  void clock_is(HelloTime time_of_day, TimePoint now);

  void link_up(PathId path, TimePoint now);
  void link_down(PathId path, TimePoint now);

  void packet(Bytes packet, TimePoint now);
  /// `came_at`: as Connection::arrived() says.
  void datagram(PathId path, ByteSpan datagram, TimePoint now, std::optional<TimePoint> came_at = std::nullopt);
  /// Tells the relay that nothing follows.
  void close(TimePoint now);

  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::vector<OutgoingDatagram> take_datagrams();
  std::vector<Bytes> take_packets();

  /// Nothing until the relay has welcomed us. It may change when the relay begins anew.
  const std::optional<Assignment>& assignment() const { return assignment_; }
  /// How often an assignment was refused that no client can have (inner/possible_assignment.hh).
  int refused_assignments() const { return refused_assignments_; }
  /// Nothing before the first connection.
  const Connection* connection() const { return connection_ ? &*connection_ : nullptr; }

 private:
  std::optional<TimePoint> try_anew_at() const;
  void begin_handshake(const std::optional<ConnectionId>& renews, TimePoint now);
  void welcomed(const ClientHandshake::Welcomed& welcomed, PathId path, TimePoint now);
  void connect(const ClientHandshake::Welcomed& welcomed, PathId path, TimePoint now);
  void send_hellos(TimePoint now);
  std::optional<TimePoint> give_up_at() const;
  std::optional<TimePoint> renew_at() const;

  ClientIdentity identity_;
  BondingOptions options_;
  std::map<PathId, bool> links_;  // up or not
  std::optional<ClientHandshake> handshake_;
  std::optional<Connection> connection_;
  std::optional<Assignment> assignment_;
  TimePoint begun_at_{}, connected_at_{}, renewed_at_{};  // begun: the handshake
  Duration time_of_day_{};                                // at TimePoint{}
  HelloTime last_hello_{};
  int refused_assignments_ = 0;
  std::vector<OutgoingDatagram> hellos_;
};

}  // namespace tributary::bonding
