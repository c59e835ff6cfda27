#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace tributary::segmenter {

/// How the segments of a track lie on the disk.
struct TrackLayout {
  bool single_file = false;  // all in one, instead of one for each segment
  bool frame_index = false;  // beside those of pictures, a file that says where each frame is
};

/// The directory of a presentation that is being written. A file appears whole or not at all: it is written
/// under a temporary name beside its place, checked, and renamed. Files may be published from several
/// threads.
class Publication {
 public:
  /// Creates the directory. One that holds anything throws Failure (usage), unless `replace`: then the index
  /// goes first, and after it the manifests and segments of the earlier presentation; files with other names stay.
  Publication(std::filesystem::path directory, bool replace, TrackLayout layout = {});

  /// Creates the directories above the file. Throws Failure (output) that names the path; no part is left
  /// then.
  void publish(const std::string& name, std::span<const std::byte> content) const;
  void publish(const std::string& name, std::string_view text) const {
    publish(name, std::as_bytes(std::span{text}));
  }

  const TrackLayout& layout() const { return layout_; }
  /// Where the file of that name stands.
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }

 private:
  std::filesystem::path directory_;
  TrackLayout layout_;
};

/// The files that lead to the segments.
inline constexpr std::string_view kIndexName = "index.json";
inline constexpr std::string_view kDashManifestName = "manifest.mpd";
inline constexpr std::string_view kMasterPlaylistName = "master.m3u8";
inline constexpr std::string_view kMediaPlaylistName = "playlist.m3u8";  // in the directory of its track

}  // namespace tributary::segmenter
