#include "presentation/segments/segment_table.hh"

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <utility>

namespace tributary {
namespace {

/// How many segments of this track are streamed.
std::size_t count_within(std::optional<std::size_t> limit, const Track& picture) {
  const std::size_t count = limit ? std::min(picture.sizes.size(), *limit) : picture.sizes.size();
  if (count == 0) throw std::invalid_argument("the presentation has no segment");
  return count;
}

std::optional<std::size_t> first_sound(const std::vector<Track>& tracks) {
  const auto found = std::ranges::find(tracks, TrackKind::kAudio, &Track::kind);
  return found == tracks.end() ? std::nullopt : std::optional{static_cast<std::size_t>(found - tracks.begin())};
}

}  // namespace

SegmentTable::SegmentTable(Presentation presentation, std::optional<std::size_t> limit)
    : presentation_{std::move(presentation)},
      qualities_{presentation_.tracks},
      limit_{limit},
      grid_{picture(), count_within(limit, picture())} {
  choose_sound(first_sound(presentation_.tracks));
  // A presentation that is not live does not grow, whatever its index says.
  complete_ = !grows() || segment_count() == limit_;
}

void SegmentTable::append(std::span<const TrackSegment> tracks) {
  if (complete_) return;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const std::size_t index = tracks[i].track.value_or(i);
    tributary::append(presentation_.tracks.at(index), tracks[i]);
    if (tracks[i].estimated) estimates_.correct_last(presentation_.tracks, ladder_with(index), index);
  }
  grid_.append(picture());
  if (sound_) grid_.extend_sound(presentation_.tracks[*sound_], picture());
  look_for_stretch(static_cast<SegmentIndex>(segment_count() - 1));
  complete_ = segment_count() == limit_;
}

std::vector<std::size_t> SegmentTable::ladder_with(std::size_t track) const {
  return qualities_.has(track) ? ladder() : std::vector{track};
}

void SegmentTable::choose_sound(std::optional<std::size_t> track) {
  assert(!track || presentation_.tracks.at(*track).kind == TrackKind::kAudio);
  sound_ = track;
  grid_.choose_sound(sound_ ? &presentation_.tracks[*sound_] : nullptr, presentation_.own_grids, picture(), grows());
  stretch_begins_.clear();
  for (std::size_t i = 1; i < segment_count(); ++i) look_for_stretch(static_cast<SegmentIndex>(i));
}

SoundGrid::Span SegmentTable::sound_of(SegmentIndex segment) const {
  return sound_ ? grid_.sound_of(segment, presentation_.tracks[*sound_]) : SoundGrid::Span{};
}

Duration SegmentTable::starts_at(std::size_t track, SegmentIndex of_track) const {
  return track == sound_ ? grid_.sound_starts_at(of_track) : starts_at(of_track);
}

// ---- Stretches

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

std::vector<std::size_t> SegmentTable::stretches(SegmentIndex segment) const {
  std::vector<std::size_t> stretches = sound_stretches(segment);
  for (const std::size_t track : ladder()) stretches.push_back(presentation_.tracks[track].stretch_of(segment));
  return stretches;
}

void SegmentTable::look_for_stretch(SegmentIndex segment) {
  const auto is_one = [&](std::size_t track) { return presentation_.tracks[track].stretches.empty(); };
  if (std::ranges::all_of(ladder(), is_one) && (!sound_ || is_one(*sound_))) return;
  if (stretches(segment) != stretches(static_cast<SegmentIndex>(to_index(segment) - 1)))
    stretch_begins_.push_back(segment);
}

SegmentIndex SegmentTable::stretch_begin(SegmentIndex segment) const {
  const auto behind = std::ranges::upper_bound(stretch_begins_, segment);
  return behind == stretch_begins_.begin() ? SegmentIndex{} : *std::prev(behind);
}

// ---- Partial segments

bool SegmentTable::continues(SegmentIndex segment) const {
  return std::ranges::any_of(ladder(),
                             [&](std::size_t track) { return presentation_.tracks[track].does_continue(segment); });
}

SegmentIndex SegmentTable::switch_point(SegmentIndex segment) const {
  std::size_t at = to_index(segment);
  while (at > 0 && continues(static_cast<SegmentIndex>(at))) --at;
  return static_cast<SegmentIndex>(at);
}

// ---- Sizes and parts

DataSize SegmentTable::size(SegmentIndex segment, QualityIndex quality) const {
  DataSize total = presentation_.tracks[qualities_.track(quality)].sizes[to_index(segment)];
  const SoundGrid::Span sound = sound_of(segment);
  for (std::size_t i = sound.begin; i < sound.end; ++i) total += presentation_.tracks[*sound_].sizes[i];
  return total;
}

void SegmentTable::learn_size(const SegmentPart& part, DataSize size) {
  estimates_.learn(presentation_.tracks, ladder_with(part.track), part, size);
}

double SegmentTable::error_of_estimate(const SegmentPart& part) const {
  if (part.init || !qualities_.has(part.track)) return estimates_.error(false);
  return estimates_.error(std::ranges::any_of(
      ladder(), [&](std::size_t track) { return !presentation_.tracks[track].is_estimate(part.segment); }));
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
  add(qualities_.track(quality), to_index(segment));
  return result;
}

std::vector<SegmentPart> SegmentTable::init_parts(SegmentIndex segment, QualityIndex quality) const {
  std::vector<SegmentPart> result;
  const auto add = [&](std::size_t index, std::size_t stretch) {
    const Track& track = presentation_.tracks[index];
    if (const auto& init = track.init_of(stretch)) result.push_back({index, true, *init, track.first_of(stretch)});
  };
  for (const std::size_t stretch : sound_stretches(segment)) add(*sound_, stretch);
  const std::size_t picture = qualities_.track(quality);
  add(picture, presentation_.tracks[picture].stretch_of(segment));
  return result;
}

}  // namespace tributary
