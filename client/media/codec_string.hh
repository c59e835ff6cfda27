#pragma once

#include <string>
#include <string_view>

#include "media/iso_box.hh"

namespace tributary {

/// The codec with its profile, as in RFC 6381 section 3.3: "avc1.64001f", "mp4a.40.2", "hvc1.1.6.L93.B0",
/// "av01.0.04M.08", "vp09.00.10.08", "Opus", "ac-3", "ec-3". Reads the avcC, hvcC, av1C, vpcC or esds box of a sample
/// entry. Throws BoxError for a sample entry of another kind.
std::string codec_string(const Box& sample_entry);

/// Whether the sample entry of this kind, which codec_string() knows, is one of sound.
bool is_sound_entry(std::string_view sample_entry);

/// The setup of the decoder, needed before the first sample: the body of avcC, hvcC, av1C or dOps, or the specific
/// configuration in esds (empty if esds has none). Empty for codecs whose samples say all. Borrowed from the box. Throws BoxError.
std::span<const std::byte> decoder_config(const Box& sample_entry);

/// Bytes of the fields before the boxes of a sample entry (ISO/IEC 14496-12 sections 12.1.3 and 12.2.3).
inline constexpr std::size_t kVisualFields = 78, kAudioFields = 28;

}  // namespace tributary
