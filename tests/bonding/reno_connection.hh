#pragma once

#include "simulated_tunnel.hh"
#include "simulation/reno_sender.hh"

namespace tributary::bonding::testing {

/// A connection of TCP that knows nothing of the links: it always has something to send to the client. As for it, three packets that
/// overtake another are a loss.
class RenoConnection {
 public:
  RenoConnection(SimulatedTunnel& tunnel, DataSize packet);
  /// The rate of what has arrived in order from now until then.
  DataRate run_until(TimePoint end);

 private:
  void send();
  void client_got(std::uint32_t number);
  void acknowledged(std::uint32_t next_expected);
  void look_for_time_out();

  SimulatedTunnel& tunnel_;
  std::uint64_t packet_size_;
  RenoSender sender_;
  RenoReceiver receiver_;
};

}  // namespace tributary::bonding::testing
