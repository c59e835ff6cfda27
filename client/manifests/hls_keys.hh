#pragma once

#include <map>
#include <optional>
#include <string>

#include "hls/media_playlist.hh"
#include "manifests/manifest_files.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// The keys of AES-128 that playlists name (RFC 8216 section 4.3.2.4), each fetched once for a title.
class HlsKeys {
 public:
  /// `fetch` must outlive it.
  explicit HlsKeys(const FetchFiles& fetch) : fetch_{fetch} {}

  /// Fetches those keys of the playlist at `url` that can be used, all at once. Throws ManifestError for a key that has
  /// not 16 bytes, and what `fetch` throws.
  void fetch(const hls::MediaPlaylist& playlist, const std::string& url);
  /// How the segment is encrypted, or its init section; nothing: it is in the clear. Its key must have been fetched.
  std::optional<Cipher> of(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment,
                           const std::string& url) const;
  std::optional<Cipher> of(const hls::MediaPlaylist& playlist, const hls::InitSection& map,
                           const std::string& url) const;

 private:
  const FetchFiles& fetch_;
  std::map<std::string, hls::Block> keys_;  // by address
};

}  // namespace tributary
