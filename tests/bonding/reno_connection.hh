#pragma once

#include <cstdint>
#include <limits>
#include <set>

#include "simulated_tunnel.hh"

namespace tributary::bonding::testing {

/// A connection of TCP that knows nothing of the links: it always has something to send to the client, by the window of
/// RFC 5681, with the recovery of RFC 6582. As for it, three packets that overtake another are a loss.
class RenoConnection {
 public:
  RenoConnection(SimulatedTunnel& tunnel, DataSize packet);
  /// The rate of what has arrived in order from now until then.
  DataRate run_until(TimePoint end);

 private:
  void send(std::uint32_t number);
  void send_window();
  void client_got(std::uint32_t number);
  void acknowledged(std::uint32_t next_expected);
  void lost();
  void look_for_time_out();

  SimulatedTunnel& tunnel_;
  std::size_t packet_size_;

  std::uint32_t next_expected_ = 0;  // by the receiver
  std::set<std::uint32_t> out_of_order_;

  double window_ = 10, threshold_ = std::numeric_limits<double>::max();  // packets
  std::uint32_t next_ = 0, acknowledged_ = 0, recovered_at_ = 0;
  int duplicates_ = 0;
  TimePoint progress_at_{};
};

}  // namespace tributary::bonding::testing
