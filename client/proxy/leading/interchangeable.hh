#pragma once

#include <optional>
#include <string>

namespace tributary::proxy {

/// What decodes segments of a rendition, and the beginning of one of them.
struct SegmentSample {
  std::string init;     // empty: there is none
  std::string segment;  // its first bytes, with the first picture
};

/// Bytes of a segment that hold its first picture, or its beginning.
inline constexpr std::size_t kSampleBytes = 32 * 1024;

/// Why a player that was told of one rendition cannot go on with segments of the other: it has read the init segment of
/// the first one, and reads no other. Nothing: it can. Neither is encrypted.
///
/// MPEG-TS: streams must have the same numbers and codecs. MP4: the init segments are alike, or the samples are read alike
/// by the other one and each segment brings its own parameter sets (avc3, hev1).
std::optional<std::string> why_not_interchangeable(const SegmentSample& announced, const SegmentSample& other);

}  // namespace tributary::proxy
