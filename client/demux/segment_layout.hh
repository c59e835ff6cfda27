#pragma once

#include <cstddef>
#include <span>

namespace tributary {

/// The form of a track's segments, by their bytes. The last four are packed audio: frames of sound without a container,
/// behind a tag of ID3 (RFC 8216 section 3.4).
enum class SegmentLayout { kMp4, kTransportStream, kMatroska, kUnknown, kAac, kMp3, kAc3, kEac3 };

SegmentLayout segment_layout(std::span<const std::byte> first_bytes);

bool is_packed_audio(SegmentLayout layout);

/// The name of the demuxer of libavformat for that layout. Not for kUnknown.
const char* format_name(SegmentLayout layout);

/// How many bytes at the beginning are whole packets of a transport stream.
std::size_t whole_transport_packets(std::span<const std::byte> bytes);

/// Throws std::runtime_error, which says what is wrong, if these bytes are no whole segment (or init segment) of that
/// layout. libavformat reads over most faults, and the film would lack what they hide.
void must_be_whole(SegmentLayout layout, bool init, std::span<const std::byte> bytes);

}  // namespace tributary
