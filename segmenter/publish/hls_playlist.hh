#pragma once

#include <string>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// Below the index: "low/playlist.m3u8".
std::string media_playlist_name(const Track& track);

/// What a player shows to choose a sound or subtitles by: the name, or else the language; with the track's id where that
/// does not say which.
std::string rendition_name(const Presentation& presentation, const Track& track);

/// CHARACTERISTICS of a sound or subtitles: what makes them accessible; empty if nothing does.
std::string hls_characteristics(const Track& track);
/// AUTOSELECT: whether a player may choose it by the language alone.
bool is_chosen_by_language(const Track& track);
/// VIDEO-RANGE of pictures with these colours: "PQ" or "HLG"; empty for the usual range.
std::string hls_video_range(const std::optional<ColorCodes>& color);

/// "1200@800": as many bytes, from there on (RFC 8216 section 4.3.2.2).
std::string hls_byte_range(ByteRange range);

/// The presentation for players of HTTP Live Streaming (RFC 8216): each picture track is a variant, and all sound
/// tracks are one group beside them, and all subtitles another. It must have a picture.
std::string write_master_playlist(const Presentation& presentation);

/// The segments of one of its tracks: a window of them while it is live, and all the rest once it is complete. Durations are rounded to microseconds so that no error adds up.
std::string write_media_playlist(const Presentation& presentation, const Track& track);

/// EXT-X-TARGETDURATION, the same in all playlists of a presentation (section 6.2.4): no segment, rounded to seconds,
/// lasts longer.
std::int64_t target_duration(const Presentation& presentation);

}  // namespace tributary::segmenter
