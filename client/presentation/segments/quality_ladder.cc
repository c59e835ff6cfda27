#include "presentation/segments/quality_ladder.hh"

#include <algorithm>
#include <stdexcept>

namespace tributary {

QualityLadder::QualityLadder(const std::vector<Track>& tracks) {
  const auto is_step = [](const Track& t) { return t.kind == TrackKind::kVideo || t.kind == TrackKind::kData; };
  const auto first = std::ranges::find_if(tracks, is_step);
  if (first == tracks.end()) throw std::invalid_argument("the presentation has no video (or data) track");
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (is_step(tracks[i]) && tracks[i].group == first->group) tracks_.push_back(i);
  }
  std::ranges::stable_sort(tracks_, {}, [&](std::size_t track) { return tracks[track].bitrate.average; });
  for (const std::size_t index : tracks_) {
    const Track& track = tracks[index];
    steps_.push_back({track.id, track.bitrate.average, std::min(track.width, track.height)});
  }
}

bool QualityLadder::has(std::size_t track) const { return std::ranges::find(tracks_, track) != tracks_.end(); }

std::optional<QualityIndex> QualityLadder::find(std::string_view name) const {
  const auto found = std::ranges::find(steps_, name, &Step::name);
  if (found == steps_.end()) return std::nullopt;
  return static_cast<QualityIndex>(found - steps_.begin());
}

QualityIndex QualityLadder::highest_within(int lines) const {
  for (std::size_t i = steps_.size(); i-- > 0;) {
    if (steps_[i].lines <= lines) return static_cast<QualityIndex>(i);
  }
  return QualityIndex{0};
}

}  // namespace tributary
