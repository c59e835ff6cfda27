#pragma once

#include <string>

#include "bonding/ordering/resequencer.hh"
#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

struct BondingOptions {
  std::string scheduler{scheduler_kinds().front().name};
  ResequencerKind resequencer = ResequencerKind::kBounded;
  DataSize mtu{1280};  // of inner packets. The least that IPv6 allows goes through almost any path (path_mtu.hh)
};

}  // namespace tributary::bonding
