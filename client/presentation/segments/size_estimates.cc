#include "presentation/segments/size_estimates.hh"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "units/whole_number.hh"

namespace tributary {
namespace {

constexpr DataSize kInitEstimate{2'000};  // most are smaller
// Segments that count as much as what was believed before: of a manifest alone, and of the whole ladder.
constexpr double kWeightOfManifest = 1, kWeightOfLadder = 3;
constexpr double kAssumed = 0.25, kAssumedError = 0.2, kAssumedErrorOfSameScene = 0.1;  // so many estimates

DataSize estimate_of(double bytes) {
  constexpr std::int64_t kLargestEstimate = std::int64_t{1} << 30;
  return DataSize{std::clamp(whole_number(bytes), std::int64_t{1}, kLargestEstimate)};
}

double declared_bytes(const Track& track, Duration duration) {
  return track.bitrate.average.bits_per_second() / 8 * to_seconds(duration);
}
double declared_bytes(const Track& track, std::size_t segment) {
  return declared_bytes(track, track.duration(static_cast<SegmentIndex>(segment)));
}

bool is_known(const Track& track, std::size_t segment) {
  return segment < track.sizes.size() && !track.is_estimate(static_cast<SegmentIndex>(segment));
}

/// An init segment is a file of its own, and says nothing of other sizes.
void learn_init(Track& track, SegmentIndex segment, DataSize size) {
  const std::size_t stretch = track.stretch_of(segment);
  std::optional<Resource>& init = stretch == 0 ? track.init : track.stretches[stretch - 1].init;
  if (!init || !init->estimated) return;
  init->range.end = init->range.begin + size;
  init->estimated = false;
}

/// The file of the segment is the same in all qualities, and says nothing of other sizes.
bool is_same_in_all(const std::vector<Track>& tracks, std::span<const std::size_t> ladder, std::size_t segment) {
  const auto& place = tracks[ladder.front()].places;
  return ladder.size() > 1 && std::ranges::all_of(ladder, [&](std::size_t track) {
           const auto& other = tracks[track].places;
           return segment < place.size() && segment < other.size() && other[segment] == place[segment];
         });
}

}  // namespace

double SizeEstimates::correction(std::size_t track, std::span<const std::size_t> ladder) const {
  Known all;
  for (const std::size_t other : ladder) {
    const auto known = known_.find(other);
    if (known == known_.end()) continue;
    all.bytes += known->second.bytes;
    all.declared += known->second.declared;
  }
  const double of_ladder = all.declared > 0 ? all.bytes / all.declared : 1;
  const auto own = known_.find(track);
  if (own == known_.end() || own->second.declared <= 0) return of_ladder;
  return own->second.bytes / own->second.declared;
}

void SizeEstimates::keep_declared(const std::vector<Track>& tracks, std::span<const std::size_t> ladder) {
  for (const std::size_t index : ladder) {
    const Track& track = tracks[index];
    std::vector<double>& declared = declared_[index];
    for (std::size_t i = declared.size(); i < track.sizes.size(); ++i) {
      const bool estimate = track.is_estimate(static_cast<SegmentIndex>(i));
      declared.push_back(estimate ? static_cast<double>(track.sizes[i].bytes()) : declared_bytes(track, i));
    }
  }
}

void SizeEstimates::learn(std::vector<Track>& tracks, std::span<const std::size_t> ladder, const SegmentPart& part,
                          DataSize size) {
  Track& track = tracks[part.track];
  if (part.init) return learn_init(track, part.segment, size);
  if (!track.is_estimate(part.segment)) return;
  const std::size_t at = to_index(part.segment);
  if (!is_same_in_all(tracks, ladder, at)) return learn(tracks, ladder, part.track, part.segment, size);
  for (const std::size_t same : ladder) {
    tracks[same].sizes[at] = size;
    tracks[same].estimated[at] = false;
  }
}

void SizeEstimates::learn(std::vector<Track>& tracks, std::span<const std::size_t> ladder, std::size_t track,
                          SegmentIndex segment, DataSize size) {
  keep_declared(tracks, ladder);
  const std::size_t at = to_index(segment);
  Known& known = known_[track];
  if (known.declared <= 0) {  // begins as the ladder is known to be
    const double before = correction(track, ladder);
    const bool ladder_is_known =
        std::ranges::any_of(ladder, [&](std::size_t other) { return other != track && known_.contains(other); });
    known.declared = (ladder_is_known ? kWeightOfLadder : kWeightOfManifest) * declared_[track][at];
    known.bytes = before * known.declared;
  }
  known.bytes += static_cast<double>(size.bytes());
  known.declared += declared_[track][at];
  const bool same_scene = std::ranges::any_of(ladder, [&](std::size_t other) { return is_known(tracks[other], at); });
  Errors& errors = same_scene ? errors_of_same_scene_ : errors_;
  const double off = tracks[track].sizes[at] / std::max(size, DataSize{1}) - 1;
  errors.squares += std::min(off * off, 1.0);
  ++errors.count;
  tracks[track].sizes[at] = size;
  tracks[track].estimated[at] = false;
  estimate_anew(tracks, ladder);
}

void SizeEstimates::estimate_anew(std::vector<Track>& tracks, std::span<const std::size_t> ladder) const {
  std::vector<double> corrections;
  for (const std::size_t other : ladder) corrections.push_back(correction(other, ladder));
  const auto bytes_of = [&](std::size_t quality, std::size_t index) {
    return corrections[quality] * declared_.at(ladder[quality])[index];
  };
  for (std::size_t q = 0; q < ladder.size(); ++q) {
    Track& estimated = tracks[ladder[q]];
    for (std::size_t i = 0; i < estimated.sizes.size(); ++i) {
      if (!estimated.is_estimate(static_cast<SegmentIndex>(i))) continue;
      std::optional<std::size_t> nearest;
      for (std::size_t other = 0; other < ladder.size(); ++other) {
        if (!is_known(tracks[ladder[other]], i)) continue;
        const auto distance = [&](std::size_t quality) {
          return std::abs(static_cast<std::ptrdiff_t>(quality) - static_cast<std::ptrdiff_t>(q));
        };
        if (!nearest || distance(other) < distance(*nearest)) nearest = other;
      }
      const double bytes = nearest ? static_cast<double>(tracks[ladder[*nearest]].sizes[i].bytes()) * bytes_of(q, i) /
                                         bytes_of(*nearest, i)
                                   : bytes_of(q, i);
      estimated.sizes[i] = estimate_of(bytes);
    }
  }
}

double SizeEstimates::error(bool same_scene) const {
  const Errors& errors = same_scene ? errors_of_same_scene_ : errors_;
  const double assumed = same_scene ? kAssumedErrorOfSameScene : kAssumedError;
  return std::sqrt((errors.squares + kAssumed * assumed * assumed) / (errors.count + kAssumed));
}

void SizeEstimates::correct_last(std::vector<Track>& tracks, std::span<const std::size_t> ladder, std::size_t track) {
  keep_declared(tracks, ladder);
  DataSize& size = tracks[track].sizes.back();
  size = estimate_of(correction(track, ladder) * static_cast<double>(size.bytes()));
}

void estimate_all(Track& track) { track.estimated.assign(track.sizes.size(), true); }

DataSize estimated_size(const Track& track, Duration duration) { return estimate_of(declared_bytes(track, duration)); }

void estimate_from_bitrate(Track& track) {
  track.sizes.clear();
  for (std::size_t i = 0; i < track.durations.size(); ++i) track.sizes.push_back(estimate_of(declared_bytes(track, i)));
  estimate_all(track);
}

void estimate_init(Resource& init) {
  if (!init.whole_file) return;
  init.range.end = kInitEstimate;
  init.estimated = true;
}

Presentation without_sizes(Presentation presentation) {
  for (Track& track : presentation.tracks) {
    if (!track.file_offsets.empty()) continue;  // the places of segments in a file state their sizes
    estimate_from_bitrate(track);
    if (track.init) estimate_init(*track.init);
    for (Stretch& stretch : track.stretches) {
      if (stretch.init) estimate_init(*stretch.init);
    }
  }
  return presentation;
}

}  // namespace tributary
