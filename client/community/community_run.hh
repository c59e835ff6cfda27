#pragma once

#include "community/streams.hh"
#include "community/transfer.hh"

namespace tributary::community {

struct Figures {
  std::vector<StreamCount> streams{};
  std::optional<TransferCount> transfer{};
  std::vector<LinkCount> links{};  // in the order of the scenario

  /// Of all streams: the part of their packets that did not come.
  double loss() const;
};

/// Throws std::invalid_argument if there are no links, or more than a tunnel can have.
Figures run(const Experiment& experiment, const std::vector<LinkScenario>& links, std::uint64_t seed);

}  // namespace tributary::community
