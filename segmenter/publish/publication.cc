#include "segmenter/publish/publication.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <utility>
#include <vector>

#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/temporary_file.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// The number at the beginning of a name, and what follows.
std::pair<std::optional<std::uint64_t>, std::string_view> number_before(std::string_view name) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{}) return {std::nullopt, name};
  return {number, name.substr(static_cast<std::size_t>(end - name.data()))};
}

bool is_temporary(const std::string& name) { return name.starts_with('.') && name.ends_with(".tmp"); }

bool is_track_file(const std::string& name) {
  return name == "init.mp4" || name == "media.mp4" || name == "media.bin" || name == "frames.json" ||
         name == kMediaPlaylistName || name == kWholeSubtitlesName || segment_number(name) ||
         number_of_parted_segment(name) || is_temporary(name);
}

/// The files in the directories of all tracks for which `wanted` holds.
template <typename Wanted>
std::vector<fs::path> track_files(const fs::path& directory, Wanted wanted) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (!entry.is_directory() || entry.is_symlink()) continue;
    for (const auto& file : fs::directory_iterator(entry)) {
      if (file.is_regular_file() && wanted(file.path().filename().string())) files.push_back(file.path());
    }
  }
  return files;
}

/// Removes files that a killed run has left under temporary names.
void remove_unfinished(const fs::path& directory) {
  std::vector<fs::path> files = track_files(directory, is_temporary);
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.is_regular_file() && is_temporary(entry.path().filename().string())) files.push_back(entry.path());
  }
  for (const fs::path& file : files) fs::remove(file);
}

/// Removes the index first, then the manifests, then the segments. Without an index, nobody takes the rest for
/// complete, even if removing is interrupted.
void remove_presentation(const fs::path& directory) {
  for (const std::string_view name : {kIndexName, kDashManifestName, kDashPartsName, kMasterPlaylistName}) {
    fs::remove(directory / name);
    fs::remove(temporary_name(directory / name));
  }
  fs::remove_all(directory / kUnfinishedName);
  for (const fs::path& file : track_files(directory, is_track_file)) fs::remove(file);
}

void remove_if_empty(const fs::path& directory) {
  std::error_code stays;
  fs::remove(directory, stays);
}

}  // namespace

std::optional<std::uint64_t> segment_number(const std::string& name) {
  const auto [number, extension] = number_before(name);
  const bool known = extension == ".m4s" || extension == ".bin" || extension == ".vtt" || extension == ".jpg";
  return known ? number : std::nullopt;
}

std::optional<std::uint64_t> number_of_parted_segment(const std::string& name) {
  const auto [number, part_name] = number_before(name);
  if (!number || !part_name.starts_with('.')) return std::nullopt;
  const auto [part, extension] = number_before(part_name.substr(1));
  return part && (extension == ".m4s" || extension == ".bin") ? number : std::nullopt;
}

DirectoryLock::DirectoryLock(const fs::path& directory)
    : descriptor_{open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)} {
  if (!descriptor_.is_open()) fail("open", directory, errno);
  if (flock(descriptor_.get(), LOCK_EX | LOCK_NB) == 0) return;
  const bool taken = errno == EWOULDBLOCK;
  descriptor_ = {};
  if (taken) throw Failure{ExitCode::kUsage, fmt::format("{}: another process publishes there", directory.string())};
}

Publication::Publication(fs::path directory, Existing existing, TrackLayout layout)
    : directory_{std::move(directory)}, layout_{layout} {
  try {
    made_ = fs::create_directories(directory_);
    lock_ = DirectoryLock{directory_};
    if (existing == Existing::kContinue) {
      remove_unfinished(directory_);
    } else if (!fs::is_empty(directory_)) {
      if (existing == Existing::kRefuse) {
        throw Failure{
            ExitCode::kUsage,
            fmt::format("{} is not empty: use --force to replace the presentation in it, or another directory",
                        directory_.string())};
      }
      remove_presentation(directory_);
    }
  } catch (const fs::filesystem_error& error) {
    const std::string path = error.path1().empty() ? directory_.string() : error.path1().string();
    throw Failure{ExitCode::kOutput, fmt::format("cannot prepare {}: {}", path, error.code().message())};
  }
}

void Publication::publish_once(const std::string& name, std::span<const std::byte> content) const {
  const std::lock_guard lock{*once_};
  const auto there = read_file(directory_ / name);
  if (!there) return publish(name, content);
  if (!std::ranges::equal(std::as_bytes(std::span{*there}), content)) {
    throw Failure{ExitCode::kUsage,
                  fmt::format("{} is of a stream with other settings, and caches may keep it: use another directory",
                              (directory_ / name).string())};
  }
}

void Publication::publish_link(const std::string& name, const fs::path& source) const {
  const fs::path place = directory_ / name;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) fail("create the directory of", place, error.value());
  fs::create_hard_link(source, place, error);
  if (!error) return;
  const auto content = read_file(source);
  if (!content) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", source.string())};
  publish(name, *content);
}

void Publication::remove(const std::string& name) const {
  std::error_code error;
  fs::remove(directory_ / name, error);
  if (error) fail("remove", directory_ / name, error.value());
}

void Publication::withdraw() const {
  try {
    remove_presentation(directory_);
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(directory_)) {
      if (entry.is_directory() && !entry.is_symlink()) folders.push_back(entry.path());
    }
    for (const fs::path& folder : folders) remove_if_empty(folder);
    if (made_) remove_if_empty(directory_);
  } catch (const fs::filesystem_error&) {
    return;  // what cannot be removed stays
  }
}

void Publication::publish(const std::string& name, std::span<const std::byte> content) const {
  TemporaryFile file{path(name)};
  file.write(content);
  file.move_to_place();
}

}  // namespace tributary::segmenter
