#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "bonding/bonding_options.hh"
#include "bonding/datagrams.hh"
#include "bonding/handshake/key_ring.hh"
#include "bonding/outgoing_packets.hh"
#include "bonding/paths/tunnel_path.hh"

namespace tributary::bonding {

/// One end of a connection after the handshake: inner packets in and out, datagrams in and out, one next deadline. Both ends
/// are alike, but for this: the client opens paths, and the relay learns of a path by the first packet that comes over it.
///
/// Nothing that a datagram says is believed before its seal is, and none is taken in twice.
class Connection {
 public:
  static constexpr std::size_t kMostPaths = 16;

  /// `peer`: an address at which the peer receives, as the handshake has shown.
  Connection(ConnectionId id, const SessionKeys& keys, const BondingOptions& options,
             const std::optional<PeerAddress>& peer);

  /// The client's links. A path that is up again keeps its numbers.
  void path_up(PathId id, TimePoint now);
  void path_down(PathId id, TimePoint now);

  void send(Bytes packet, TimePoint now);
  /// `header` is that of the datagram. False: it was not the peer's, or not for the first time.
  /// `came_at`: when the system got it, if that is known better than by the time at which it is taken in. Trains are measured
  /// by it.
  bool arrived(const PacketHeader& header, ByteSpan datagram, const PeerAddress& from, TimePoint now,
               std::optional<TimePoint> came_at = std::nullopt);
  /// New keys beside the old ones. The client says kNow; the relay seals with them once the client has shown that it has them.
  enum class SealWithThem { kNow, kOnceThePeerDoes };
  void renew(KeyGeneration generation, const SessionKeys& keys, SealWithThem when, TimePoint now);
  /// Tells the peer, over all paths.
  void close(TimePoint now);

  TimePoint next_deadline() const;
  void wake(TimePoint now);

  std::vector<OutgoingDatagram> take_datagrams() { return std::exchange(datagrams_, {}); }
  std::vector<Bytes> take_packets() { return std::exchange(packets_, {}); }

  ConnectionId id() const { return id_; }
  /// Also for connections of TCP beside the datagrams (split/record.hh).
  std::shared_ptr<const KeyRing> keys() const { return keys_; }
  bool closed_by_peer() const { return closed_by_peer_; }
  bool is_alive() const;
  /// When the last packet of the peer came; TimePoint{}: none has come yet.
  TimePoint heard_at() const { return heard_at_; }
  const TunnelPaths& paths() const { return paths_; }
  const OutgoingPackets& outgoing() const { return outgoing_; }

 private:
  class Dispatch;

  TunnelPath& path_of(PathId id, const PeerAddress& from);
  void deliver(std::vector<Bytes> packets);

  void send_waiting(TimePoint now);
  void challenge(TunnelPath& path, TimePoint now);
  void send_train(TunnelPath& path, TimePoint now);
  void send_feedback(TunnelPath& path, TimePoint now);
  void send_on(TunnelPath& path, const Message& message, TimePoint now);
  struct Extra {
    std::optional<PeerAddress> to{};  // other than the path's
    std::optional<GlobalSequence> inner{};
  };
  PathSequence send_on(TunnelPath& path, const Message& message, const Extra& extra, TimePoint now);

  void became_alive(TunnelPath& path, TimePoint now);
  void became_silent(TunnelPath& path, TimePoint now);
  void leave(PathId id, TimePoint now);
  void wake_path(TunnelPath& path, TimePoint now);

  ConnectionId id_;
  std::shared_ptr<KeyRing> keys_;
  BondingOptions options_;
  std::optional<PeerAddress> proven_peer_;
  TunnelPaths paths_;
  OutgoingPackets outgoing_;
  std::unique_ptr<Resequencer> resequencer_;
  InnerReplayWindow seen_;
  TimePoint heard_at_{};
  bool closed_by_peer_ = false;

  std::vector<OutgoingDatagram> datagrams_;
  std::vector<Bytes> packets_;
};

}  // namespace tributary::bonding
