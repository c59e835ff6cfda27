#pragma once

#include <string>

namespace tributary::proxy {

/// What a proxy does for players. Each can be left out, to measure it.
struct ProxyRules {
  bool pacing = true;    // media are sent no faster than the links bring them
  bool cmsd = true;      // the player is told what the links bring
  bool prefetch = true;  // the segment after the one that was asked for is fetched ahead
  bool cmcd = false;     // the origin is told when files are needed, and what the links bring
  bool lead = false;     // the player is told of one quality, and given the one that the links can bring

  /// Throws std::invalid_argument that lists the names.
  static ProxyRules without(const std::string& names);
};

}  // namespace tributary::proxy
