#pragma once

#include <string>

#include "manifests/manifest.hh"

namespace tributary {

/// The presentation of a multivariant playlist with all its media playlists, or of one media playlist. It is live if
/// no playlist of a picture has ended (EXT-X-ENDLIST), or if one that goes on lists more. On demand, playlists that cannot
/// be had or read are left out as long as a picture remains. Throws ManifestError, hls::PlaylistError, and what `fetch`
/// throws.
Opened presentation_of_playlist(const std::string& text, const std::string& url, const FetchFiles& fetch,
                                const ManifestMoment& moment);

/// The first codec of a list (RFC 6381) that is one of a picture, or of a sound. Empty: there is none.
std::string first_codec(const std::string& codecs, bool of_picture);

}  // namespace tributary
