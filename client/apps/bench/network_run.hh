#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/bench/bench_options.hh"
#include "links/link_monitor.hh"
#include "transport/origin.hh"

namespace tributary {

/// The index, and how to come to what it lists.
struct FoundPresentation {
  std::string index;                   // the text
  transport::FileLocation location;    // of the index, after redirects
  std::vector<std::string> addresses;  // of its origin
};

/// Fetches the index over the first link that can. Throws std::runtime_error that says for each link what was tried and
/// what came back.
FoundPresentation find_presentation(const BenchOptions& options);

}  // namespace tributary
