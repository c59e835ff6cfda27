#pragma once

#include <chrono>
#include <string>

#include "bonding/ordering/resequencer.hh"
#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

struct BondingOptions {
  std::string scheduler{scheduler_kinds().front().name};
  ResequencerKind resequencer = ResequencerKind::kBounded;
  Duration keep_alive = std::chrono::seconds{15};  // between questions over a path without news
  DataSize mtu{1280};  // of inner packets. The least that IPv6 allows goes through almost any path (path_mtu.hh)
};

}  // namespace tributary::bonding
