#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bonding/split/record.hh"
#include "bonding/split/split_end.hh"
#include "system/event_loop.hh"
#include "tunnel/machine/split/tcp_socket.hh"
#include "units/data_size.hh"

namespace tributary {

/// Carries connections of TCP of this machine to the other end of a tunnel, by one connection for each link: joins the
/// streams of bonding/split with sockets. Both ends have one for each connection of the tunnel.
class SplitCarrier {
 public:
  struct Options {
    bonding::SplitRole role{};
    bonding::SplitRule rule{};
    bonding::ConnectionId connection{};
    std::shared_ptr<const bonding::KeyRing> keys;
    /// Begins to connect a stream that the peer has opened; nothing: it is not to be.
    std::function<std::optional<TcpSocket>(const bonding::PeerAddress& to)> connect{};
    /// Bytes that a link has carried, either way.
    std::function<void(bonding::PathId link, DataSize size)> carried = [](bonding::PathId, DataSize) {};
  };
  /// The loop must outlive it.
  SplitCarrier(Options options, EventLoop& loop);
  ~SplitCarrier();
  SplitCarrier(const SplitCarrier&) = delete;
  SplitCarrier& operator=(const SplitCarrier&) = delete;

  /// The link's connection to the peer, instead of one before; it may not be made yet. Says who we are.
  void attach(bonding::PathId link, TcpSocket socket);
  /// The same, of one that the peer has made. `first`: the sealed packet that came first, and what came behind it. False: it
  /// is not the peer's.
  bool accept(bonding::PathId link, TcpSocket& socket, bonding::ByteSpan first, bonding::RecordBuffer& behind);
  void detach(bonding::PathId link);
  bool has(bonding::PathId link) const { return links_.contains(link); }
  /// The peer has answered over this link.
  bool answered(bonding::PathId link) const;
  /// A connection of this machine goes on at the peer's end.
  void carry(TcpSocket local, const bonding::PeerAddress& to);

  /// To be called after each wake-up of the loop.
  void work();
  /// To be called each tenth of a second or so: finds links that have fallen silent, and what they carry.
  void look();

  /// Those of this machine.
  std::size_t connections() const { return locals_.size(); }

 private:
  struct Codec {
    bonding::RecordWriter writer;
    bonding::RecordReader reader;
  };
  struct Link {
    TcpSocket socket;
    bonding::RecordBuffer in{};
    bonding::Bytes out{};
    bool answered = false, broken = false, wants_to_write = false;
    bool silent = false;  // its pieces were given to the others
  };
  struct Local {
    TcpSocket socket;
    bonding::Bytes out{};
    bool read_ended = false, write_ended = false, broken = false, reads = true, wants_to_write = false;
  };

  Codec& codec_of(bonding::PathId link);
  void put(bonding::PathId id, Link link);
  void read_link(bonding::PathId id, Link& link);
  bool take_records(bonding::PathId id, Link& link);
  bool write_link(bonding::PathId id, Link& link);
  void wait_for_room(bonding::PathId id, Link& link);
  void put_local(bonding::StreamId stream, TcpSocket socket);
  void read_local(bonding::StreamId stream, Local& local);
  void write_local(bonding::StreamId stream, Local& local);
  void break_off(bonding::StreamId stream);
  void close_local(bonding::StreamId stream);
  void open_streams();
  void move_streams();

  Options options_;
  EventLoop& loop_;
  bonding::SplitEnd end_;
  std::map<bonding::PathId, Codec> codecs_;  // they outlast the connections of their links
  std::map<bonding::PathId, Link> links_;
  std::map<bonding::StreamId, Local> locals_;
};

}  // namespace tributary
