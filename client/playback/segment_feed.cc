#include "playback/segment_feed.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {

void SegmentFeed::take(SegmentIndex segment, std::vector<MediaPart> parts) {
  ForListener one = for_listener(segment, std::move(parts));
  cache_.add(one.media);
  tell(std::move(one));
}

void SegmentFeed::take_frames(SegmentIndex segment, std::vector<MediaPart> parts, bool first) {
  ForListener one = for_listener(segment, std::move(parts));
  one.media.goes_on = !first;
  tell(std::move(one));
}

void SegmentFeed::came_whole(SegmentIndex segment, std::vector<MediaPart> parts) {
  cache_.add(for_listener(segment, std::move(parts)).media);
}

SegmentFeed::ForListener SegmentFeed::for_listener(SegmentIndex segment, std::vector<MediaPart> parts) {
  ForListener one{.media = {.generation = generation_,
                            .index = segment,
                            .quality = quality_of(parts),
                            .start = table_.starts_at(segment),
                            .duration = table_.duration(segment),
                            .parts = {}},
                  .init = {}};
  for (MediaPart& part : parts) {
    MediaSegment::Part told = for_listener(std::move(part));
    if (told.init && !initialised_.emplace(told.track, told.stretch.begin).second)
      continue;  // the listener has it already
    (told.init ? one.init : one.media.parts).push_back(std::move(told));
  }
  return one;
}

void SegmentFeed::tell(ForListener segment) {
  std::vector<MediaSegment::Part>& parts = segment.media.parts;
  parts.insert(parts.begin(), segment.init.begin(), segment.init.end());
  listener_.segment(std::move(segment.media));
}

void SegmentFeed::begin(std::uint32_t generation, std::vector<MediaSegment> cached) {
  generation_ = generation;
  for (MediaSegment& segment : cached) {
    segment.generation = generation;
    listener_.segment(std::move(segment));
  }
}

MediaSegment::Part SegmentFeed::for_listener(MediaPart part) const {
  const Track& track = table_.presentation().tracks[part.track];
  const std::size_t stretch = track.stretch_of(part.segment);
  return {
      .track = part.track,
      .kind = part.kind,
      .init = part.init,
      .bytes = std::make_shared<const MediaBytes>(std::move(part.bytes)),
      .start = table_.starts_at(part.track, part.segment),
      .stretch = {.begin = begin_of_stretch(part.track, stretch),
                  .end = stretch < track.stretches.size() ? begin_of_stretch(part.track, stretch + 1) : Duration::max(),
                  .offset = track.offset_of(stretch)}};
}

/// Sound is cut in whole frames, and may be listed to go on otherwise a little before or after the picture does. It does
/// so with the picture, whose times hold for both.
Duration SegmentFeed::begin_of_stretch(std::size_t track, std::size_t stretch) const {
  constexpr Duration kWithIt = std::chrono::milliseconds{300};
  const std::vector<Track>& tracks = table_.presentation().tracks;
  const Duration listed = table_.starts_at(track, tracks[track].first_of(stretch));
  if (tracks[track].kind != TrackKind::kAudio || !table_.presentation().times_are_measured) return listed;
  const std::size_t picture = table_.ladder().front();
  for (const Stretch& one : tracks[picture].stretches) {
    const Duration begins = table_.starts_at(picture, one.first);
    if (std::chrono::abs(begins - listed) < kWithIt) return begins;
  }
  return listed;
}

QualityIndex SegmentFeed::quality_of(const std::vector<MediaPart>& parts) const {
  const std::vector<std::size_t>& ladder = table_.ladder();
  for (const MediaPart& part : parts) {
    const auto found = std::ranges::find(ladder, part.track);
    if (!part.init && found != ladder.end()) return static_cast<QualityIndex>(found - ladder.begin());
  }
  return {};
}

}  // namespace tributary
