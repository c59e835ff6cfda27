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

/// How the segments of a track lie on the disk.
struct TrackLayout {
  bool single_file = false;  // all in one, instead of one for each segment
  bool frame_index = false;  // beside those of pictures, a file that says where each frame is
  Duration chunk{};          // of CMAF chunks within the segments; zero: a segment is one
};

/// Keeps other processes from publishing in a directory, where its file system has locks.
class DirectoryLock {
 public:
  DirectoryLock() = default;
  /// Throws Failure (usage) when another process has it.
  explicit DirectoryLock(const std::filesystem::path& directory);

 private:
  FileDescriptor descriptor_;
};

/// The directory of a presentation that is being written. A file appears whole or not at all: it is written
/// under a temporary name beside its place, checked, and renamed. Files may be published from several
/// threads.
class Publication {
 public:
  /// What to do with a directory that holds something: nothing may be in it, a presentation in it is replaced, or a live
  /// one goes on.
  enum class Existing { kRefuse, kReplace, kContinue };
  /// Creates the directory. One that holds anything throws Failure (usage), unless it is to be replaced: then the index
  /// goes first, and after it the manifests and segments of the earlier presentation; files with other names stay. One
  /// that goes on loses nothing but files that were not finished. Failure (usage) when another process has it.
  Publication(std::filesystem::path directory, Existing existing, TrackLayout layout = {});

  /// Creates the directories above the file. Throws Failure (output) that names the path; no part is left
  /// then.
  void publish(const std::string& name, std::span<const std::byte> content) const;
  void publish(const std::string& name, std::string_view text) const { publish(name, std::as_bytes(std::span{text})); }

  /// For a file that never changes: one that is there already and differs throws Failure (usage).
  void publish_once(const std::string& name, std::span<const std::byte> content) const;
  /// The same file under a second name, or, where the file system cannot do that, a copy.
  void publish_link(const std::string& name, const std::filesystem::path& source) const;
  /// A file that is not there is no failure.
  void remove(const std::string& name) const;

  const std::filesystem::path& directory() const { return directory_; }
  const TrackLayout& layout() const { return layout_; }
  /// Where the file of that name stands.
  std::filesystem::path path(const std::string& name) const { return directory_ / name; }

 private:
  std::filesystem::path directory_;
  TrackLayout layout_;
  DirectoryLock lock_;
  std::unique_ptr<std::mutex> once_ = std::make_unique<std::mutex>();  // sections have the same init segment
};

/// The files that lead to the segments.
inline constexpr std::string_view kIndexName = "index.json";
inline constexpr std::string_view kDashManifestName = "manifest.mpd";
inline constexpr std::string_view kMasterPlaylistName = "master.m3u8";
inline constexpr std::string_view kWholeSubtitlesName = "all.vtt";       // in the directory of its track
inline constexpr std::string_view kMediaPlaylistName = "playlist.m3u8";  // in the directory of its track

inline constexpr std::string_view kUnfinishedName = ".unfinished";  // a directory, until there is an index

/// Whether the name is that of a segment ("00017.m4s"), and its number.
std::optional<std::uint64_t> segment_number(const std::string& name);

}  // namespace tributary::segmenter
