#pragma once

#include <optional>
#include <span>

#include "bonding/wire/identifiers.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::bonding {

/// What is measured of a path that is alive, and could carry everything.
struct PathQuality {
  PathId id{};
  DataRate capacity;
  double loss = 0;  // fraction of packets
};

/// Decides which path carries everything, where one at a time does (thesis section 3.4): the one that delivers most. Another
/// one must be a quarter better, for 3 s, so that two alike do not take turns. When the path dies, the best of the others
/// follows at once.
class HandoverRule {
 public:
  /// Ties go to the lower id. Nothing if no path is alive.
  std::optional<PathId> decide(std::span<const PathQuality> paths, TimePoint now);

 private:
  std::optional<PathId> current_;
  std::optional<PathId> better_;
  TimePoint better_since_{};
};

}  // namespace tributary::bonding
