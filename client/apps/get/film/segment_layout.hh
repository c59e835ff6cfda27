#pragma once

#include <cstddef>
#include <span>

namespace tributary {

/// The form of a track's segments, by their bytes.
enum class SegmentLayout { kMp4, kTransportStream, kMatroska, kUnknown };

SegmentLayout segment_layout(std::span<const std::byte> first_bytes);

/// The name of the demuxer of libavformat for that layout. Not for kUnknown.
const char* format_name(SegmentLayout layout);

/// Throws std::runtime_error, which says what is wrong, if these bytes are no whole segment (or init segment) of that
/// layout. libavformat reads over most faults, and the film would lack what they hide.
void must_be_whole(SegmentLayout layout, bool init, std::span<const std::byte> bytes);

}  // namespace tributary
