#pragma once

#include <string_view>

#include "dash/mpd.hh"

namespace tributary::dash {

/// "video", "audio", "text", "image", "other".
std::string_view to_string(MediaKind kind);

/// What a set is, from what it states: `content_type` comes first, then the MIME type, then the codecs of an
/// application/mp4. Picture with sound in one file is video.
MediaKind media_kind(std::string_view content_type, std::string_view mime_type, std::string_view codecs);

}  // namespace tributary::dash
