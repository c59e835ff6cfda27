#pragma once

#include <cstddef>
#include <span>

#include "units/media_bytes.hh"

namespace tributary {

/// The form of a track's segments, by their bytes. The last four are packed audio: frames of sound without a container,
/// behind a tag of ID3 (RFC 8216 section 3.4).
enum class SegmentLayout { kMp4, kTransportStream, kMatroska, kUnknown, kAac, kMp3, kAc3, kEac3 };

SegmentLayout segment_layout(std::span<const std::byte> first_bytes);

bool is_packed_audio(SegmentLayout layout);

/// The name of the demuxer of libavformat for that layout. Not for kUnknown.
const char* format_name(SegmentLayout layout);

/// A segment (or an init segment) of that layout, as it can follow the one before it in a demuxer: of a transport stream,
/// its packets alone. Throws std::runtime_error, which says what is wrong, where that is not a segment, or not whole.
/// libavformat reads over most faults, and the film would lack what they hide.
MediaBytes whole_segment(SegmentLayout layout, bool init, MediaBytes bytes);

}  // namespace tributary
