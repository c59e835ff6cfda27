#include "presentation/segments/segment_table.hh"

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
    start += track_of(QualityIndex{0}).duration(static_cast<SegmentIndex>(i));
  }
  end_ = start;
  lay_out_sound();
  // A presentation that is not live does not grow, whatever its index says.
  complete_ = !grows() || segment_count_ == limit_;
}

void SegmentTable::append(std::span<const TrackSegment> tracks) {
  if (complete_) return;
  const auto last = static_cast<SegmentIndex>(segment_count_ - 1);
  starts_.push_back(end_);
  for (std::size_t i = 0; i < tracks.size(); ++i) append(tracks[i].track.value_or(i), tracks[i]);
  end_ += track_of(QualityIndex{0}).duration(next(last));
  ++segment_count_;
  assert(track_of(QualityIndex{0}).sizes.size() >= segment_count_);
  if (sound_grid_) sound_grid_->extend(presentation_.tracks[*sound_], track_of(QualityIndex{0}), starts_, false);
  look_for_stretch(next(last));
  complete_ = segment_count_ == limit_;
}

void SegmentTable::append(std::size_t index, const TrackSegment& segment) {
  Track& track = presentation_.tracks.at(index);
  if (segment.stretch) track.begin_stretch(*segment.stretch);
  track.durations.push_back(segment.ticks);
  track.sizes.push_back(segment.size);
  if (segment.estimated && track.estimated.empty()) track.estimated.assign(track.sizes.size() - 1, false);
  if (!track.estimated.empty()) track.estimated.push_back(segment.estimated);
  if (!track.places.empty() || track.uri.empty()) track.places.push_back(segment.place);
  if (segment.estimated) estimates_.correct_last(presentation_.tracks, ladder_with(index), index);
}

std::vector<std::size_t> SegmentTable::ladder_with(std::size_t track) const {
  return std::ranges::find(ladder_, track) != ladder_.end() ? ladder_ : std::vector{track};
}

std::optional<QualityIndex> SegmentTable::find_quality(std::string_view name) const {
  for (std::size_t i = 0; i < ladder_.size(); ++i) {
    if (quality_name(static_cast<QualityIndex>(i)) == name) return static_cast<QualityIndex>(i);
  }
  return std::nullopt;
}

QualityIndex SegmentTable::highest_within(int lines) const {
  for (std::size_t i = ladder_.size(); i-- > 0;) {
    const Track& track = presentation_.tracks[ladder_[i]];
    if (std::min(track.width, track.height) <= lines) return static_cast<QualityIndex>(i);
  }
  return QualityIndex{0};
}

void SegmentTable::choose_sound(std::size_t track) {
  assert(track < presentation_.tracks.size() && presentation_.tracks[track].kind == TrackKind::kAudio);
  sound_ = track;
  lay_out_sound();
}

void SegmentTable::leave_out_sound() {
  sound_.reset();
  lay_out_sound();
}

std::optional<std::size_t> SegmentTable::sound_like_this(std::span<const std::size_t> not_these) const {
  const std::vector<Track>& tracks = presentation_.tracks;
  if (!sound_) return std::nullopt;
  const auto coding = [](const Track& track) { return track.codec.substr(0, track.codec.find('.')); };
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track &other = tracks[i], &now = tracks[*sound_];
    if (i == sound_ || other.kind != TrackKind::kAudio || std::ranges::find(not_these, i) != not_these.end()) continue;
    if (other.label.language == now.label.language && coding(other) == coding(now)) return i;
  }
  return std::nullopt;
}

std::size_t SegmentTable::lose(const SegmentPart& part) {
  Track& track = presentation_.tracks[part.track];
  const std::size_t at = to_index(part.segment);
  track.sizes[at] = DataSize{};
  if (!track.estimated.empty()) track.estimated[at] = false;
  const auto lost = [](DataSize size) { return size == DataSize{}; };
  const auto here = track.sizes.begin() + static_cast<std::ptrdiff_t>(at);
  const auto end = std::find_if_not(here, track.sizes.end(), lost);
  const auto begin = std::find_if_not(std::make_reverse_iterator(here), track.sizes.rend(), lost).base();
  return static_cast<std::size_t>(end - begin);
}

std::vector<std::size_t> SegmentTable::sound_stretches(SegmentIndex segment) const {
  if (!sound_) return {};
  const Track& sound = presentation_.tracks[*sound_];
  const SoundGrid::Span span = sound_of(segment);
  const auto stretch_of = [&](std::size_t index) { return sound.stretch_of(static_cast<SegmentIndex>(index)); };
  const std::size_t last = span.end > 0 ? span.end - 1 : 0;  // what goes on, where no segment begins
  std::vector<std::size_t> stretches;
  for (std::size_t i = stretch_of(std::min(span.begin, last)); i <= stretch_of(last); ++i) stretches.push_back(i);
  return stretches;
}

void SegmentTable::lay_out_sound() {
  sound_grid_.reset();
  if (presentation_.own_grids && sound_)
    sound_grid_.emplace(presentation_.tracks[*sound_], track_of(QualityIndex{0}), starts_, !grows());
  stretch_begins_.clear();
  for (std::size_t i = 1; i < segment_count_; ++i) look_for_stretch(static_cast<SegmentIndex>(i));
}

std::vector<std::size_t> SegmentTable::stretches(SegmentIndex segment) const {
  std::vector<std::size_t> stretches = sound_stretches(segment);
  for (const std::size_t track : ladder_) stretches.push_back(presentation_.tracks[track].stretch_of(segment));
  return stretches;
}

void SegmentTable::look_for_stretch(SegmentIndex segment) {
  const auto is_one = [&](std::size_t track) { return presentation_.tracks[track].stretches.empty(); };
  if (std::ranges::all_of(ladder_, is_one) && (!sound_ || is_one(*sound_))) return;
  if (stretches(segment) != stretches(static_cast<SegmentIndex>(to_index(segment) - 1)))
    stretch_begins_.push_back(segment);
}

SegmentIndex SegmentTable::stretch_begin(SegmentIndex segment) const {
  const auto behind = std::ranges::upper_bound(stretch_begins_, segment);
  return behind == stretch_begins_.begin() ? SegmentIndex{} : *std::prev(behind);
}

SoundGrid::Span SegmentTable::sound_of(SegmentIndex segment) const {
  if (!sound_) return {};
  if (sound_grid_) return sound_grid_->with(segment);
  const std::size_t i = to_index(segment), all = presentation_.tracks[*sound_].sizes.size();
  return i < all ? SoundGrid::Span{i, i + 1} : SoundGrid::Span{all, all};
}

Duration SegmentTable::starts_at(std::size_t track, SegmentIndex of_track) const {
  return sound_grid_ && track == sound_ ? sound_grid_->starts_at(of_track) : starts_at(of_track);
}

SegmentIndex SegmentTable::segment_at(Duration position) const {
  const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), position);
  return static_cast<SegmentIndex>(after - starts_.begin() - 1);
}

SegmentIndex SegmentTable::first_for(Duration position) const {
  const SegmentIndex at = segment_at(position);
  return sound_grid_ ? sound_grid_->first_for(at) : at;
}

DataSize SegmentTable::size(SegmentIndex segment, QualityIndex quality) const {
  DataSize total = track_of(quality).sizes[to_index(segment)];
  const SoundGrid::Span sound = sound_of(segment);
  for (std::size_t i = sound.begin; i < sound.end; ++i) total += presentation_.tracks[*sound_].sizes[i];
  return total;
}

bool SegmentTable::is_same_in_all(SegmentIndex segment) const {
  const std::size_t at = to_index(segment);
  const auto& place = presentation_.tracks[ladder_.front()].places;
  return std::ranges::all_of(ladder_, [&](std::size_t track) {
    const auto& other = presentation_.tracks[track].places;
    return at < place.size() && at < other.size() && other[at] == place[at];
  });
}

void SegmentTable::learn_size(const SegmentPart& part, DataSize size) {
  Track& track = presentation_.tracks[part.track];
  if (part.init) {
    const std::size_t stretch = track.stretch_of(part.segment);
    std::optional<Resource>& init = stretch == 0 ? track.init : track.stretches[stretch - 1].init;
    if (init && init->estimated) {
      init->range.end = init->range.begin + size;
      init->estimated = false;
    }
    return;
  }
  if (!track.is_estimate(part.segment)) return;
  if (ladder_.size() > 1 && is_same_in_all(part.segment)) {
    for (const std::size_t same : ladder_) {
      presentation_.tracks[same].sizes[to_index(part.segment)] = size;
      presentation_.tracks[same].estimated[to_index(part.segment)] = false;
    }
    return;
  }
  estimates_.learn(presentation_.tracks, ladder_with(part.track), part.track, part.segment, size);
}

double SegmentTable::error_of_estimate(const SegmentPart& part) const {
  if (part.init || std::ranges::find(ladder_, part.track) == ladder_.end()) return estimates_.error(false);
  return estimates_.error(std::ranges::any_of(
      ladder_, [&](std::size_t track) { return !presentation_.tracks[track].is_estimate(part.segment); }));
}

std::vector<SegmentPart> SegmentTable::parts(SegmentIndex segment, QualityIndex quality) const {
  std::vector<SegmentPart> result;
  const auto add = [&](std::size_t track, std::size_t index) {
    const auto of_track = static_cast<SegmentIndex>(index);
    result.push_back({track, false, presentation_.tracks[track].segment(of_track), of_track});
  };
  const SoundGrid::Span sound = sound_of(segment);
  for (std::size_t i = sound.begin; i < sound.end; ++i) {
    if (presentation_.tracks[*sound_].sizes[i] > DataSize{}) add(*sound_, i);  // or else it is lost
  }
  add(ladder_[to_index(quality)], to_index(segment));
  return result;
}

std::vector<SegmentPart> SegmentTable::init_parts(SegmentIndex segment, QualityIndex quality) const {
  std::vector<SegmentPart> result;
  const auto add = [&](std::size_t index, std::size_t stretch) {
    const Track& track = presentation_.tracks[index];
    if (const auto& init = track.init_of(stretch)) result.push_back({index, true, *init, track.first_of(stretch)});
  };
  for (const std::size_t stretch : sound_stretches(segment)) add(*sound_, stretch);
  const std::size_t picture = ladder_[to_index(quality)];
  add(picture, presentation_.tracks[picture].stretch_of(segment));
  return result;
}

}  // namespace tributary
