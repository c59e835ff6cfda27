#include "bonding/scheduling/one_path.hh"

#include <algorithm>
#include <utility>
#include <vector>

namespace tributary::bonding {

std::optional<PathId> OnePath::choose(const NextPacket& /*packet*/, std::span<const PathView> paths, TimePoint now) {
  std::vector<PathQuality> qualities;
  for (const PathView& path : paths) {
    qualities.push_back({.id = path.id, .capacity = path.rate.value_or(DataRate{}), .loss = path.loss});
  }
  decided_ = rule_.decide(qualities, now);
  const bool obeys =
      std::ranges::find(paths, asked_for_, [](const PathView& path) { return std::optional{path.id}; }) != paths.end();
  const auto id = obeys ? asked_for_ : decided_;
  const auto path = std::ranges::find_if(paths, [&](const PathView& view) { return view.id == id; });
  return path != paths.end() && is_open(*path, now) ? id : std::nullopt;
}

std::optional<PathId> OnePath::to_ask_for() {
  if (asked_for_ || decided_ == told_) return std::nullopt;
  return told_ = decided_;
}

}  // namespace tributary::bonding
