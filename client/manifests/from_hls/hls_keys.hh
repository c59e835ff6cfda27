#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "hls/media_playlist.hh"
#include "manifests/manifest_files.hh"
#include "presentation/presentation.hh"

namespace tributary {

/// The keys of AES-128 that playlists name (RFC 8216 section 4.3.2.4), each fetched once for a title.
class HlsKeys {
 public:
  /// Those keys of the playlist at `url` that can be used and are not known yet, each once.
  std::vector<WantedFile> missing(const hls::MediaPlaylist& playlist, const std::string& url) const;
  /// `url`: as it was missing. Throws ManifestError for a key that has not 16 bytes; the end of
  /// a line may follow them.
  void add(const std::string& url, const std::string& bytes);
  /// A live title names ever more keys: forgets them when there are many. What is still named is missing then.
  void forget_if_many();
  /// Fetches those that are missing. Throws as `add`, and what `fetch` throws.
  void fetch(const hls::MediaPlaylist& playlist, const std::string& url, const FetchFiles& fetch);
  /// How the segment is encrypted, or its init section; nothing: it is in the clear. Its key must have been fetched.
  std::optional<Cipher> of(const hls::MediaPlaylist& playlist, const hls::MediaSegment& segment,
                           const std::string& url) const;
  std::optional<Cipher> of(const hls::MediaPlaylist& playlist, const hls::InitSection& map,
                           const std::string& url) const;

 private:
  hls::Block key_at(const std::string& address) const;

  std::map<std::string, hls::Block> keys_;  // by address
};

}  // namespace tributary
