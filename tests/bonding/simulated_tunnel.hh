#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "bonding/client_end.hh"
#include "bonding/relay_end.hh"
#include "simulation/bottleneck.hh"

namespace tributary::bonding::testing {

/// A client and a relay in virtual time, joined by the links of a scenario: path 0 is its first link. A link that is down
/// there swallows packets, and tells nobody; link_down() of the client is told by tests.
class SimulatedTunnel {
 public:
  /// IPv4, UDP and Ethernet, as on an emulated link.
  static constexpr DataSize kHeaders{14 + 20 + 8};

  SimulatedTunnel(std::vector<LinkScenario> links, const BondingOptions& client_options = {},
                  const BondingOptions& relay_options = {}, std::uint64_t seed = 1);
  SimulatedTunnel(std::string_view scenario, const BondingOptions& options = {})
      : SimulatedTunnel{parse_scenario(scenario), options, options} {}

  /// All links are told to the client, and it has an address within two seconds.
  void connect();
  void at(TimePoint time, std::function<void()> what) { events_.emplace(time, std::move(what)); }
  void run_until(TimePoint end);

  /// The NAT of the path forgets its mapping: from now on the relay sees another address.
  void rebind(std::size_t path) { ++ports_[path]; }
  /// Datagrams that are looked at before they are on their way; false: swallowed.
  using Look = std::function<bool(const OutgoingDatagram& datagram)>;
  Look to_relay = [](const OutgoingDatagram&) { return true; }, to_client = to_relay;

  /// Both ends wake up for datagrams only at multiples of this, and are told when each came.
  Duration wakes_every{};

  /// Where the relay sees a path of the client.
  PeerAddress address_of(std::size_t path) const;

  std::function<void(Bytes)> client_got = [](const Bytes&) {}, relay_got = client_got;

  RelayIdentity identity = RelayIdentity::random();
  ClientIdentity client_identity = identity.new_client();
  TimePoint now{};
  ClientEnd client;
  RelayEnd relay;

 private:
  struct Link {
    Bottleneck to_client, to_relay;
  };
  void carry();
  TimePoint taken_in(TimePoint came_at) const;
  std::optional<std::size_t> path_at(const PeerAddress& address) const;

  std::vector<LinkScenario> scenario_;
  std::vector<Link> links_;
  std::vector<std::uint16_t> ports_;
  std::multimap<TimePoint, std::function<void()>> events_;
};

/// A UDP packet of IPv4 with a number in it.
Bytes numbered_packet(std::uint32_t number, const std::array<std::byte, 4>& from, const std::array<std::byte, 4>& to,
                      std::size_t size);
std::uint32_t number_of(const Bytes& packet);

/// A stream of numbered packets at a constant rate through the tunnel to the client, and what came of it.
class NumberedStream {
 public:
  NumberedStream(SimulatedTunnel& tunnel, DataRate rate, DataSize packet);
  /// Sends from now until then, and takes in what comes.
  void run_until(TimePoint end);

  /// The rate of inner packets that came in this time.
  DataRate rate(TimePoint from, TimePoint to) const;
  /// Of all that came: those with a higher number than all before them.
  double in_order_share() const;
  /// The longest time in which nothing came.
  Duration longest_gap(TimePoint from, TimePoint to) const;
  /// How long after it was sent the packet came that took longest.
  Duration longest_delay() const;
  std::size_t came() const { return arrivals_.size(); }
  std::size_t sent() const { return sent_at_.size(); }
  /// Numbers that never came, of those sent in this time.
  std::size_t missing(TimePoint from, TimePoint to) const;
  bool twice() const { return twice_; }

 private:
  struct Arrival {
    TimePoint at;
    std::uint32_t number;
    DataSize size;
  };
  void send();

  SimulatedTunnel& tunnel_;
  Duration between_;
  DataSize packet_;
  TimePoint end_{};
  std::vector<TimePoint> sent_at_;
  std::vector<Arrival> arrivals_;
  std::vector<bool> seen_;
  bool twice_ = false;
};

}  // namespace tributary::bonding::testing
