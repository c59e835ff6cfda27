#include "playback/segment_feed.hh"

#include <algorithm>
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
    if (part.init && !initialised_.insert(part.track).second) continue;  // the listener has it already
    (part.init ? init : media.parts)
        .push_back(
            {part.track, part.kind, part.init, std::make_shared<const std::vector<std::byte>>(std::move(part.bytes))});
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

QualityIndex SegmentFeed::quality_of(const std::vector<MediaPart>& parts) const {
  const std::vector<std::size_t>& ladder = table_.ladder();
  for (const MediaPart& part : parts) {
    const auto found = std::ranges::find(ladder, part.track);
    if (!part.init && found != ladder.end()) return static_cast<QualityIndex>(found - ladder.begin());
  }
  return {};
}

}  // namespace tributary
