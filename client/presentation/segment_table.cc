#include "presentation/segment_table.hh"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace tributary {

SegmentTable::SegmentTable(Presentation presentation, std::optional<std::size_t> limit)
    : presentation_{std::move(presentation)}, limit_{limit} {
  const std::vector<Track>& tracks = presentation_.tracks;
  const auto is_ladder = [](const Track& t) { return t.kind == TrackKind::kVideo || t.kind == TrackKind::kData; };
  const auto first = std::find_if(tracks.begin(), tracks.end(), is_ladder);
  if (first == tracks.end()) throw std::invalid_argument("the presentation has no video (or data) track");
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (is_ladder(tracks[i]) && tracks[i].group == first->group) ladder_.push_back(i);
    if (tracks[i].kind == TrackKind::kAudio && !sound_) sound_ = i;
  }
  std::stable_sort(ladder_.begin(), ladder_.end(),
                   [&](std::size_t a, std::size_t b) { return tracks[a].bitrate.average < tracks[b].bitrate.average; });
  segment_count_ = first->sizes.size();
  if (limit) segment_count_ = std::min(segment_count_, *limit);
  if (segment_count_ == 0) throw std::invalid_argument("the presentation has no segment");
  Duration start{};
  for (std::size_t i = 0; i < segment_count_; ++i) {
    starts_.push_back(start);
    start += duration(static_cast<SegmentIndex>(i));
  }
  // A presentation that is not live does not grow, whatever its index says.
  complete_ = presentation_.complete || !presentation_.live || segment_count_ == limit_;
}

void SegmentTable::append(std::span<const TrackSegment> tracks) {
  assert(tracks.size() == presentation_.tracks.size());
  if (complete_) return;
  const auto last = static_cast<SegmentIndex>(segment_count_ - 1);
  starts_.push_back(starts_.back() + duration(last));
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    presentation_.tracks[i].sizes.push_back(tracks[i].size);
    if (!presentation_.tracks[i].estimated.empty()) presentation_.tracks[i].estimated.push_back(false);
    presentation_.tracks[i].durations.push_back(tracks[i].ticks);
  }
  ++segment_count_;
  complete_ = segment_count_ == limit_;
}

std::optional<QualityIndex> SegmentTable::find_quality(std::string_view name) const {
  for (std::size_t i = 0; i < ladder_.size(); ++i) {
    if (quality_name(static_cast<QualityIndex>(i)) == name) return static_cast<QualityIndex>(i);
  }
  return std::nullopt;
}

void SegmentTable::choose_sound(std::size_t track) {
  assert(track < presentation_.tracks.size() && presentation_.tracks[track].kind == TrackKind::kAudio);
  sound_ = track;
}

SegmentIndex SegmentTable::segment_at(Duration position) const {
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), position);
  return static_cast<SegmentIndex>(after - starts_.begin() - 1);
}

DataSize SegmentTable::size(SegmentIndex segment, QualityIndex quality) const {
  DataSize total = track_of(quality).sizes[to_index(segment)];
  if (has_sound(segment)) total += presentation_.tracks[*sound_].sizes[to_index(segment)];
  return total;
}

void SegmentTable::learn_size(const SegmentPart& part, SegmentIndex segment, DataSize size) {
  Track& track = presentation_.tracks[part.track];
  if (part.init) {
    if (track.init && track.init->estimated) {
      track.init->range.end = track.init->range.begin + size;
      track.init->estimated = false;
    }
    return;
  }
  if (!track.is_estimate(segment)) return;
  const bool of_ladder = std::ranges::find(ladder_, part.track) != ladder_.end();
  const std::vector<std::size_t> alone{part.track};
  estimates_.learn(presentation_.tracks, of_ladder ? ladder_ : alone, part.track, segment, size);
}

std::vector<SegmentPart> SegmentTable::parts(SegmentIndex segment, QualityIndex quality) const {
  std::vector<SegmentPart> result;
  if (has_sound(segment)) {
    result.push_back({*sound_, false, presentation_.tracks[*sound_].segment(segment)});
  }
  result.push_back({ladder_[to_index(quality)], false, track_of(quality).segment(segment)});
  return result;
}

std::vector<SegmentPart> SegmentTable::init_parts(QualityIndex quality) const {
  std::vector<SegmentPart> result;
  const auto add = [&](std::size_t track) {
    if (const auto& init = presentation_.tracks[track].init) result.push_back({track, true, *init});
  };
  if (sound_) add(*sound_);
  add(ladder_[to_index(quality)]);
  return result;
}

}  // namespace tributary
