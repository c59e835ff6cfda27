#pragma once

#include <optional>
#include <string>

#include "hls/media_playlist.hh"
#include "hls/multivariant_playlist.hh"

namespace tributary::hls {

/// Why a playlist cannot be played, for people: "the video is encrypted for FairPlay (SAMPLE-AES), ...". Nothing if it
/// can be, as far as the playlist tells. AES-128 with a key at an address is decrypted; no other encryption is.
std::optional<std::string> why_unplayable(const MultivariantPlaylist& playlist);
std::optional<std::string> why_unplayable(const MediaPlaylist& playlist);

}  // namespace tributary::hls
