#pragma once

#include <map>
#include <optional>
#include <string>

#include "memory/link_memory.hh"

namespace tributary::testing {

/// A memory of networks that a test fills. Each link is in a network of its own, "network of wifi".
struct ToldMemory : LinkMemory {
  std::map<std::string, RememberedLink> known, measured;  // by network: before the run, and by it
  int times_measured = 0;

  std::string network_of(const std::string& link) override { return "network of " + link; }
  std::optional<RememberedLink> recall(const std::string& network) override {
    const auto found = known.find(network);
    return found == known.end() ? std::nullopt : std::optional{found->second};
  }
  void remember(const std::map<std::string, RememberedLink>& networks) override {
    ++times_measured;
    for (const auto& [network, link] : networks) measured[network] = link;
  }
};

}  // namespace tributary::testing
