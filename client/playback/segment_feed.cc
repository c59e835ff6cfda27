#include "playback/segment_feed.hh"

#include <algorithm>
#include <chrono>
#include <utility>

namespace tributary {

void SegmentFeed::take(SegmentIndex segment, std::vector<MediaPart> parts) {
  MediaSegment media{.generation = generation_,
                     .index = segment,
                     .quality = quality_of(parts),
                     .start = table_.starts_at(segment),
                     .duration = table_.duration(segment),
                     .parts = {}};
  std::vector<MediaSegment::Part> init;
  for (MediaPart& part : parts) {
    MediaSegment::Part one = for_listener(std::move(part));
    if (one.init && !initialised_.emplace(one.track, one.stretch.begin).second)
      continue;  // the listener has it already
    (one.init ? init : media.parts).push_back(std::move(one));
  }
  cache_.add(media);
  media.parts.insert(media.parts.begin(), init.begin(), init.end());
  listener_.segment(std::move(media));
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
