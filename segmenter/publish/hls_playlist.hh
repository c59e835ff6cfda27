#pragma once

#include <string>

#include "presentation/presentation.hh"

namespace tributary::segmenter {

/// The name relative to the index: "low/playlist.m3u8".
std::string media_playlist_name(const Track& track);

/// The DATA-ID of the title, and the title as a quoted string may have it.
inline constexpr const char* kHlsTitleId = "com.apple.hls.title";
std::string hls_title(const Presentation& presentation);

/// The name of the playlist of thumbnails, relative to the index.
std::string image_playlist_name();

/// The name of a sound or subtitles for viewers: its own name, or else the language. If several tracks would have the
/// same name, the track's id follows.
std::string rendition_name(const Presentation& presentation, const Track& track);

/// CHARACTERISTICS of a sound or subtitles: their accessibility features; empty if there are none.
std::string hls_characteristics(const Track& track);
/// AUTOSELECT: whether a player may choose it by the language alone.
bool is_chosen_by_language(const Track& track);
/// VIDEO-RANGE of pictures with these colours: "PQ" or "HLG"; empty for the usual range.
std::string hls_video_range(const std::optional<ColorCodes>& color);

/// "1200@800": 1200 bytes from byte 800 on (RFC 8216 section 4.3.2.2).
std::string hls_byte_range(ByteRange range);

/// The playlist for players of HTTP Live Streaming (RFC 8216): each picture track is a variant, all sound tracks are
/// one group beside them, and all subtitles another. The presentation must have a picture.
std::string write_master_playlist(const Presentation& presentation);

/// The playlist of one track, with the segments that the index lists: while live, a window of them. Durations
/// are rounded to microseconds so that no error adds up.
std::string write_media_playlist(const Presentation& presentation, const Track& track);

/// The playlist of thumbnails, which the presentation must have.
std::string write_image_playlist(const Presentation& presentation);

/// EXT-X-TARGETDURATION, the same in all playlists of a presentation (section 6.2.4). No segment, rounded to seconds,
/// lasts longer.
std::int64_t target_duration(const Presentation& presentation);

}  // namespace tributary::segmenter
