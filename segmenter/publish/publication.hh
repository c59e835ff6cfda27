#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "system/file_descriptor.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// The files of a track on the disk.
struct TrackLayout {
  bool single_file = false;  // one file for all segments, instead of one for each
  bool frame_index = false;  // for pictures, another file with the place of each frame
  Duration chunk{};          // duration of CMAF chunks within the segments; zero: a segment is one chunk
  Duration part{};           // longest chunk that is a file of its own, beside the segment; zero: none is
};

/// Keeps other processes from publishing in a directory, if its file system has locks.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  /// Throws Failure (usage) if another process holds the lock.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  FileDescriptor descriptor_;
};

/// The directory of a presentation that is being written. A file appears whole or not at all: it is written under a
/// temporary name beside its place, checked, and renamed. Several threads may publish files.
class Publication {
 public:
  /// The treatment of a directory with content: refuse it, replace the presentation in it, or let a live one go on.
  enum class Existing { kRefuse, kReplace, kContinue };
  /// Creates the directory. kRefuse: a directory with content throws Failure (usage). kReplace: removes the index
  /// first, then the manifests and segments of the earlier presentation; files with other names stay. kContinue:
  /// removes only unfinished files. Throws Failure (usage) if another process holds the directory.
  Publication(std::filesystem::path directory, Existing existing, TrackLayout layout = {});

  /// Creates the directories above the file. Throws Failure (output) that names the path, and then leaves no part of
  /// the file.
  void publish(const std::string& name, std::span<const std::byte> content) const;
  void publish(const std::string& name, std::string_view text) const { publish(name, std::as_bytes(std::span{text})); }

  /// For a file that never changes. If the file exists with other content, throws Failure (usage).
  void publish_once(const std::string& name, std::span<const std::byte> content) const;
  /// Makes a link to `source`; if the file system has no links, a copy.
  void publish_link(const std::string& name, const std::filesystem::path& source) const;
  /// A missing file is no failure.
  void remove(const std::string& name) const;

  /// Removes what a failed run has published, its folders, and the directory if this object made it. Files of others
  /// stay. Throws nothing: the failure that led here is the one to be told.
  void withdraw() const;

  const std::filesystem::path& directory() const { return directory_; }
  const TrackLayout& layout() const { return layout_; }
  /// The place of the file of that name.
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }

 private:
  std::filesystem::path directory_;
  TrackLayout layout_;
  bool made_ = false;  // the directory
  DirectoryLock lock_;
  std::unique_ptr<std::mutex> once_ = std::make_unique<std::mutex>();  // sections publish the same init segment
};

/// The files that lead to the segments.
inline constexpr std::string_view kIndexName = "index.json";
inline constexpr std::string_view kDashManifestName = "manifest.mpd";
inline constexpr std::string_view kDashPartsName = "low-latency.mpd";  // beside it, while tracks have parts
inline constexpr std::string_view kMasterPlaylistName = "master.m3u8";
inline constexpr std::string_view kWholeSubtitlesName = "all.vtt";       // in the directory of its track
inline constexpr std::string_view kMediaPlaylistName = "playlist.m3u8";  // in the directory of its track
inline constexpr std::string_view kThumbnailsName = "thumbnails";        // a directory, as of a track

inline constexpr std::string_view kUnfinishedName = ".unfinished";  // a directory, until the index exists

/// The number of the segment or sheet with that name ("00017.m4s"); nothing if the name is none of these.
std::optional<std::uint64_t> segment_number(const std::string& name);
/// The number of the segment of a part with that name ("00017.3.m4s"); nothing if the name is none of a part.
std::optional<std::uint64_t> number_of_parted_segment(const std::string& name);

}  // namespace tributary::segmenter
