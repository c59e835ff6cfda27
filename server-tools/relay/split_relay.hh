#pragma once

#include <cstddef>
#include <list>
#include <map>
#include <memory>
#include <optional>

#include "bonding/relay_end.hh"
#include "relay/split_destinations.hh"
#include "system/connection_shares.hh"
#include "system/event_loop.hh"
#include "tunnel/machine/split/split_carrier.hh"
#include "tunnel/machine/split/tcp_listener.hh"
#include "tunnel/machine/split/tcp_socket.hh"

namespace tributary {

/// The relay's end of connections of TCP that clients split: goes on with them from this machine. A client shows by its
/// first record that it has the keys of a connection of datagrams.
class SplitRelay {
 public:
  /// What the system knows the connections by that it makes for clients, so that rules of nftables can.
  static constexpr std::uint32_t kMark = 29'298;

  struct Options {
    bonding::PeerAddress listen;
    bonding::SplitRule rule{};
    SplitDestinations destinations;
    std::size_t descriptors = 0;  // files that this process may have open
  };
  /// Relay and loop must outlive it. Throws std::system_error if the port is taken.
  SplitRelay(Options options, const bonding::RelayEnd& relay, EventLoop& loop);
  ~SplitRelay();
  SplitRelay(const SplitRelay&) = delete;
  SplitRelay& operator=(const SplitRelay&) = delete;

  /// To be called after each wake-up of the loop. When it wants to be called again at the latest.
  std::optional<TimePoint> work(TimePoint now);

 private:
  static constexpr std::size_t kMostStrangers = 64;

  /// Somebody who has not shown who it is.
  struct Stranger {
    TcpSocket socket;
    bonding::RecordBuffer came{};
    TimePoint until{};
    bool done = false;
  };
  void take(TcpSocket socket, TimePoint now);
  void hear(Stranger& stranger);
  bool is_known(Stranger& stranger, bonding::ByteSpan sealed);
  std::unique_ptr<SplitCarrier> make_carrier(const bonding::Connection& connection);
  std::optional<TcpSocket> connect(bonding::ConnectionId client, const bonding::PeerAddress& to) const;
  void look_at_paths();

  bonding::SplitRule rule_;
  SplitDestinations destinations_;
  const bonding::RelayEnd& relay_;
  EventLoop& loop_;
  TcpListener listener_;
  ConnectionShares shares_;
  std::list<Stranger> strangers_;
  std::map<bonding::ConnectionId, std::unique_ptr<SplitCarrier>> carriers_;
  TimePoint look_at_{};
};

}  // namespace tributary
