#pragma once

#include <vector>

#include "community/community_experiment.hh"
#include "community/proxy.hh"

namespace tributary::community {

/// What came of one connection of TCP.
struct TransferCount {
  DataSize came;    // in order
  Duration took{};  // until all had come, or the time was over
  std::uint64_t retransmissions = 0;

  DataRate rate() const { return came / took; }
};

/// Brings the file of an experiment through the proxy, by a sender that knows nothing of the links. Acknowledgments take the
/// first link only, as in MC², where the receiver uses one member as its gateway.
TransferCount run_transfer(const Experiment& experiment, Proxy& proxy, const LinkScenario& gateway, std::uint64_t seed);

}  // namespace tributary::community
