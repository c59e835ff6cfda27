#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "presentation/json/json_error.hh"
#include "presentation/presentation.hh"

namespace tributary {

inline constexpr std::string_view kFrameIndexFormat = "tributary-frames";
inline constexpr int kFrameIndexVersion = 2;

/// The kind of a frame, by what is lost with it.
enum class FrameKind : char {
  kI = 'I',            // needs no other; most others need it
  kP = 'P',            // needs frames before it
  kBReference = 'B',   // needs frames before and after it, and others need it
  kBDisposable = 'b',  // no other needs it: only its own picture is lost
};

struct Frame {
  FrameKind kind = FrameKind::kI;
  ByteRange range;  // within the segment

  bool operator==(const Frame&) const = default;
};

/// The frames of the segments of one picture track, in decoding order. Within a chunk, each frame follows the one
/// before without a gap.
using FrameIndex = std::vector<std::vector<Frame>>;
/// By the track's place in the presentation.
using FramesOfTracks = std::map<std::size_t, FrameIndex>;

/// Reads frames.json of a track (docs/index-format.md; format "tributary-frames", version 2). Strict: throws JsonError
/// with the place named, also when frames do not lie within the segments of the track.
FrameIndex read_frame_index(std::string_view json, const Track& track);

/// The same as text. Every segment has a frame.
std::string write_frame_index(const FrameIndex& index);

}  // namespace tributary
