#include "worlds/front_frames.hh"

namespace tributary {

std::optional<event::FramesTold> FrontFrames::came(SegmentIndex segment, ByteRange range,
                                                   std::span<const std::byte> content) {
  const auto found = pictures_.find(segment);
  if (found == pictures_.end() || found->second.chunk || found->second.refused) return std::nullopt;
  Picture& picture = found->second;
  picture.here.add(range);
  const ByteRange& first = picture.here.ranges().front();
  if (first.begin > DataSize{}) return std::nullopt;
  try {
    picture.chunk = SplitChunk::read(content.first(static_cast<std::size_t>(first.end.bytes())));
  } catch (const BoxError&) {
    picture.refused = true;
  }
  if (!picture.chunk) return std::nullopt;
  return event::FramesTold{segment, picture.quality, picture.chunk->ends()};
}

MediaBytes FrontFrames::frames(SegmentIndex segment, std::span<const std::byte> content, std::uint32_t begin,
                               std::uint32_t end) const {
  const SplitChunk& chunk = *pictures_.at(segment).chunk;
  return chunk.frames(content, begin, end == 0 ? chunk.ends().size() : end);
}

}  // namespace tributary
