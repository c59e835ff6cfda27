#pragma once

#include <string>

#include "media/iso_box.hh"

namespace tributary {

/// What a decoder must be able to do, as in RFC 6381 section 3.3: "avc1.64001f", "mp4a.40.2", "hvc1.1.6.L93.B0",
/// "av01.0.04M.08", "Opus", read from the avcC, hvcC, av1C or esds box of a sample entry. Throws BoxError for a sample entry of another kind.
std::string codec_string(const Box& sample_entry);

/// What the decoder must be told before the first sample: the body of avcC, hvcC, av1C or dOps, or the specific
/// configuration in esds (empty if it has none). Borrowed from the box. Throws BoxError.
std::span<const std::byte> decoder_config(const Box& sample_entry);

/// Bytes of fields before the boxes in a sample entry (ISO/IEC 14496-12 sections 12.1.3 and 12.2.3).
inline constexpr std::size_t kVisualFields = 78, kAudioFields = 28;

}  // namespace tributary
