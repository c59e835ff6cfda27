#pragma once

#include <string_view>

#include "dash/mpd.hh"

namespace tributary::dash {

/// "video", "audio", "text", "image", "other".
std::string_view to_string(MediaKind kind);

/// The kind of a set. The first of these that names a kind decides: `content_type`; the MIME type; the first of `codecs`,
/// since an application/mp4 can be of any kind. The MIME type of a file with picture and sound says video.
MediaKind media_kind(std::string_view content_type, std::string_view mime_type, std::string_view codecs);

}  // namespace tributary::dash
