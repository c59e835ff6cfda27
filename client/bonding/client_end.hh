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
/// the old connection. Either one that answers first goes on.
class ClientEnd {
 public:
  ClientEnd(const PresharedKey& key, const BondingOptions& options) : key_{key}, options_{options} {}

  void link_up(PathId path, TimePoint now);
  void link_down(PathId path, TimePoint now);

  void packet(Bytes packet, TimePoint now);
  void datagram(PathId path, ByteSpan datagram, TimePoint now);
  /// Tells the relay that nothing follows.
  void close(TimePoint now);

  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::vector<OutgoingDatagram> take_datagrams();
  std::vector<Bytes> take_packets();

  /// Nothing until the relay has welcomed us. It may change when the relay begins anew.
  const std::optional<Assignment>& assignment() const { return assignment_; }
  /// Nothing before the first connection.
  const Connection* connection() const { return connection_ ? &*connection_ : nullptr; }

 private:
  void welcomed(const Welcome& welcome, PathId path, TimePoint now);
  void send_hellos(TimePoint now);
  std::optional<TimePoint> give_up_at() const;

  PresharedKey key_;
  BondingOptions options_;
  std::map<PathId, bool> links_;  // up or not
  std::optional<ClientHandshake> handshake_;
  std::optional<Connection> connection_;
  std::optional<Assignment> assignment_;
  TimePoint connected_at_{};
  std::vector<OutgoingDatagram> hellos_;
};

}  // namespace tributary::bonding
