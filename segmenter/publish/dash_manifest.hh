#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The presentation for players of MPEG-DASH (ISO/IEC 23009-1): a period, an adaptation set for each group of tracks,
/// and their timeline in ticks. It starts at zero, although all timestamps are shifted (`offset`). It must have a
/// picture. Live it is dynamic until the presentation is complete, and then starts with the window; `published` is
/// when. While it goes on, `earlier` stretches, which go on likewise, are periods before it on the same timeline,
/// with holes between.
std::string write_dash_manifest(const Presentation& presentation, UtcTime published,
                                std::span<const Presentation> earlier = {});

/// presentationTimeOffset: the ticks of the track at which the manifest's timeline begins.
std::uint64_t timeline_begin(const Presentation& presentation, const Track& track);

/// Whether the segments of the track share a file, which the manifest then names with byte ranges.
bool is_single_file(const Track& track);
/// Schemes and values of the properties that tell a player of a high dynamic range (ISO/IEC 23091-2); none for the usual
/// one.
std::vector<std::pair<std::string, int>> dash_color_properties(const ColorCodes& color);
/// "0-811": the first byte and the last (RFC 9110 section 14.1.2).
std::string dash_byte_range(ByteRange range);
/// Where the index of the segments is in the file of the track: between the init segment and the first of them.
std::string dash_index_range(const Track& track);

/// The values of Role (urn:mpeg:dash:role:2011) of a sound or text: "main" for the first sound, "alternate" for others, and
/// what its own roles are.
std::vector<std::string> dash_roles(const Presentation& presentation, const Track& track);

/// What it lasts, in milliseconds: as long as the picture.
std::int64_t presentation_milliseconds(const Presentation& presentation);

}  // namespace tributary::segmenter
