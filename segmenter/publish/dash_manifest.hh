#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The manifest for players of MPEG-DASH (ISO/IEC 23009-1): a period with an adaptation set for each group of tracks,
/// and their timeline in ticks. The timeline starts at zero, although all timestamps are shifted (`offset`). The
/// presentation must have a picture.
///
/// A live manifest is dynamic until the presentation is complete, and then starts with the window. `published`: the
/// time of the manifest. `earlier`: stretches before an interruption; while the presentation goes on, they are periods
/// before it on the same timeline, with holes between.
std::string write_dash_manifest(const Presentation& presentation, UtcTime published,
                                std::span<const Presentation> earlier = {});

/// The same with sets of parts beside those of segments, for a live presentation with parts. It is a manifest of its own,
/// because FFmpeg takes parts for segments that it waits for.
std::string write_dash_manifest_with_parts(const Presentation& presentation, UtcTime published,
                                           std::span<const Presentation> earlier);

/// presentationTimeOffset: the ticks of the track at which the manifest's timeline begins.
std::uint64_t timeline_begin(const Presentation& presentation, const Track& track);

/// Whether the segments of the track share a file. The manifest then names that file with byte ranges.
bool is_single_file(const Track& track);
/// Schemes and values of the properties that announce a high dynamic range (ISO/IEC 23091-2); empty for the usual
/// range.
std::vector<std::pair<std::string, int>> dash_color_properties(const ColorCodes& color);
/// "0-811": the first byte and the last (RFC 9110 section 14.1.2).
std::string dash_byte_range(ByteRange range);
/// The byte range of the segments' index in the file of the track: between the init segment and the first segment.
std::string dash_index_range(const Track& track);

/// The values of Role (urn:mpeg:dash:role:2011) of a sound or text: "main" for the first sound, "alternate" for others,
/// and the track's own roles.
std::vector<std::string> dash_roles(const Presentation& presentation, const Track& track);

/// The duration in milliseconds, which is that of the picture.
std::int64_t presentation_milliseconds(const Presentation& presentation);

}  // namespace tributary::segmenter
