#include "bonding/scheduling/handover_rule.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

constexpr double kBetter = 1.25;
constexpr Duration kLasting = std::chrono::seconds{3};

double delivered(const PathQuality& path) { return path.capacity.bits_per_second() * (1 - path.loss); }

}  // namespace

std::optional<PathId> HandoverRule::decide(std::span<const PathQuality> paths, TimePoint now) {
  const PathQuality* best = nullptr;
  const PathQuality* current = nullptr;
  for (const PathQuality& path : paths) {
    if (best == nullptr || delivered(path) > delivered(*best)) best = &path;
    if (path.id == current_) current = &path;
  }
  if (best == nullptr || current == nullptr) {
    better_.reset();
    return current_ = best == nullptr ? std::nullopt : std::optional{best->id};
  }
  if (delivered(*best) < kBetter * delivered(*current) || best == current) {
    better_.reset();
    return current_;
  }
  if (better_ != best->id) {
    better_ = best->id;
    better_since_ = now;
  }
  if (now - better_since_ < kLasting) return current_;
  better_.reset();
  return current_ = best->id;
}

}  // namespace tributary::bonding
