#pragma once

#include <vector>

#include "community/community_experiment.hh"
#include "community/proxy.hh"

namespace tributary::community {

/// What came of a constant stream.
struct StreamCount {
  std::uint64_t sent = 0, came = 0;
  double jitter_s = 0;  // RFC 3550 section 6.4.1 (RFC 1889), the mean over all packets

  double loss() const { return sent == 0 ? 0 : 1 - static_cast<double>(came) / static_cast<double>(sent); }
};

/// Runs the streams of an experiment through the proxy. Their first packets leave one after the other at equal distances within
/// the time between two packets, in an order that the seed gives.
std::vector<StreamCount> run_streams(const Experiment& experiment, Proxy& proxy, std::uint64_t seed);

}  // namespace tributary::community
