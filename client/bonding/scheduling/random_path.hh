#pragma once

#include "bonding/scheduling/path_scheduler.hh"
#include "units/split_mix.hh"

namespace tributary::bonding {

/// Any path, each as likely as the others, whatever it carries (MC²).
class RandomPath final : public PathScheduler {
 public:
  explicit RandomPath(std::uint64_t seed) : random_{seed} {}

  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;

 private:
  SplitMix random_;
};

}  // namespace tributary::bonding
