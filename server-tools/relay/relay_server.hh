#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bonding/relay_end.hh"
#include "relay/forwarding.hh"
#include "relay/relay_nat.hh"
#include "relay/split_relay.hh"
#include "system/event_loop.hh"
#include "system/watched_file.hh"
#include "tunnel/machine/device_network.hh"
#include "tunnel/machine/packet_device.hh"
#include "tunnel/machine/udp_socket.hh"

namespace tributary {

/// The relay's end of all tunnels on this machine: one socket for datagrams, and one device for the packets of all clients.
class RelayServer {
 public:
  struct Options {
    bonding::PeerAddress listen;
    bonding::RelayIdentity identity;
    std::string client_list;  // file, which may change
    bonding::InnerNetwork network;
    bonding::BondingOptions bonding;
    std::string device{"tributary-relay"};
    bool nat = true;           // clients reach the net behind this machine
    bool split = false;        // connections of TCP end here
    bool public_only = false;  // clients reach no private network
    /// Called for all that a user wants to know.
    std::function<void(const std::string& text)> say;
  };

  /// Throws std::exception if a part of it cannot be set up; nothing is left behind then.
  explicit RelayServer(Options options);

  std::uint16_t port() const { return socket_.port(); }
  /// Until `stop_fd` is readable. Throws std::exception if the device is gone.
  void run(int stop_fd);

 private:
  void lead_on();
  std::optional<TimePoint> work(TimePoint now);
  void send();
  void read_list(TimePoint now);
  void look_for_changes();
  void tell_of_clients();

  Options options_;
  bonding::RelayEnd relay_;
  UdpSocket socket_;
  PacketDevice device_;
  DeviceNetwork network_;
  std::optional<RelayNat> nat_;
  std::optional<Forwarding> forwarding_;  // ends before the rules do
  EventLoop loop_;
  std::optional<WatchedFile> list_changes_;
  std::optional<SplitRelay> split_;
  std::size_t clients_told_ = 0;
};

}  // namespace tributary
