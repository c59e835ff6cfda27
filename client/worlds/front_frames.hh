#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>

#include "core/event.hh"
#include "media/split_chunk.hh"
#include "units/byte_set.hh"
#include "units/identifiers.hh"
#include "units/media_bytes.hh"

namespace tributary {

/// Knows the frames of pictures that are being received, as soon as the front of a segment tells them. Of segments that
/// cannot be taken apart, nothing is known.
class FrontFrames {
 public:
  void start(SegmentIndex segment, QualityIndex quality) { pictures_[segment] = {.quality = quality}; }
  void forget(SegmentIndex segment) { pictures_.erase(segment); }
  /// These bytes of the picture came. `content`: all of it up to the last byte that came.
  std::optional<event::FramesTold> came(SegmentIndex segment, ByteRange range, std::span<const std::byte> content);
  /// The frames from `begin` to before `end` as a segment of their own; without `end`, all others.
  MediaBytes frames(SegmentIndex segment, std::span<const std::byte> content, std::uint32_t begin,
                    std::uint32_t end) const;

 private:
  struct Picture {
    QualityIndex quality{};
    ByteSet here{};
    std::optional<SplitChunk> chunk{};
    bool refused = false;
  };

  std::map<SegmentIndex, Picture> pictures_;
};

}  // namespace tributary
