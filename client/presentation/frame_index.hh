#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presentation/json_node.hh"
#include "presentation/presentation.hh"

namespace tributary {

inline constexpr std::string_view kFrameIndexFormat = "tributary-frames";
inline constexpr int kFrameIndexVersion = 2;

/// What is lost with a frame.
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

/// The frames of the segments of one picture track, in decoding order. Within a segment each follows the one before at
/// once.
using FrameIndex = std::vector<std::vector<Frame>>;

/// Reads frames.json (docs/index-format.md; format "tributary-frames", version 1) of a track. Strict: throws JsonError
/// with the place named, also when frames do not lie within the segments of the track.
FrameIndex read_frame_index(std::string_view json, const Track& track);

/// The same as text. Every segment has a frame.
std::string write_frame_index(const FrameIndex& index);

}  // namespace tributary
