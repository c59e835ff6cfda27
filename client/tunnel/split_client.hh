#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "bonding/connection.hh"
#include "bonding/split/split_end.hh"
#include "system/connection_shares.hh"
#include "system/event_loop.hh"
#include "tunnel/machine/nft_table.hh"
#include "tunnel/machine/split/split_carrier.hh"
#include "tunnel/machine/split/tcp_listener.hh"
#include "tunnel/machine/split/tcp_socket.hh"
#include "units/data_size.hh"

namespace tributary {

/// Ends the connections of TCP that this machine makes through the tunnel, and carries them to the relay by one connection
/// for each link (tunnel --split). A rule of nftables leads them here as soon as the relay has answered; until then, and for
/// all that is no TCP, packets go through the tunnel.
class SplitClient {
 public:
  struct Options {
    std::string device;  // of the tunnel
    bonding::SplitRule rule{};
    std::function<std::vector<std::string>()> at_relay;  // its addresses in the tunnel
    std::function<void(const std::string& text)> say;
    std::function<void(bonding::PathId link, DataSize size)> carried;
  };
  /// The loop must outlive it.
  SplitClient(Options options, EventLoop& loop);
  SplitClient(const SplitClient&) = delete;
  SplitClient& operator=(const SplitClient&) = delete;

  struct Link {
    bonding::PathId path{};
    std::string name;
    bonding::PeerAddress relay;
    bool answers = false;  // by datagrams
  };
  /// To be called now and then with what the tunnel knows. Throws std::runtime_error if the rule cannot be made.
  void look(const bonding::Connection* connection, std::span<const Link> links, TimePoint now);
  /// To be called after each wake-up of the loop.
  void work(TimePoint now);

 private:
  void connect(const Link& link, TimePoint now);
  void lead_here();
  void listen(const bonding::PeerAddress& address);
  void carry(TcpSocket local);

  Options options_;
  ConnectionShares shares_;
  EventLoop& loop_;
  std::shared_ptr<const bonding::KeyRing> keys_;  // of the carrier
  std::optional<SplitCarrier> carrier_;
  std::map<bonding::PathId, TimePoint> tries_again_;
  std::list<TcpListener> listeners_;
  std::optional<NftTable> rule_;
};

}  // namespace tributary
