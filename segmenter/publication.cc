#include "segmenter/publication.hh"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "segmenter/failure.hh"
#include "segmenter/temporary_file.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

bool is_segment_file(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string stem = name.substr(0, name.find('.'));
  const bool numbered = !stem.empty() && std::all_of(stem.begin(), stem.end(), is_digit);
  return name == "init.mp4" || name == "media.mp4" || name == "media.bin" || name == "frames.json" ||
         name == kMediaPlaylistName || (numbered && (name.ends_with(".m4s") || name.ends_with(".bin"))) ||
         (name.starts_with('.') && name.ends_with(".tmp"));
}

/// What leads to the segments goes first, and the index before all: a presentation without it is not taken for a
/// complete one, whatever happens next.
void remove_presentation(const fs::path& directory) {
  for (const std::string_view name : {kIndexName, kDashManifestName, kMasterPlaylistName}) {
    fs::remove(directory / name);
    fs::remove(temporary_name(directory / name));
  }
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (!entry.is_directory() || entry.is_symlink()) continue;
    for (const auto& file : fs::directory_iterator(entry)) {
      if (file.is_regular_file() && is_segment_file(file.path().filename().string()))
        files.push_back(file.path());
    }
  }
  for (const fs::path& file : files) fs::remove(file);
}

}  // namespace

Publication::Publication(fs::path directory, bool replace, TrackLayout layout)
    : directory_{std::move(directory)}, layout_{layout} {
  try {
    fs::create_directories(directory_);
    if (!fs::is_empty(directory_)) {
      if (!replace) {
        throw Failure{
            ExitCode::kUsage,
            fmt::format(
                "{} is not empty: use --force to replace the presentation in it, or another directory",
                directory_.string())};
      }
      remove_presentation(directory_);
    }
  } catch (const fs::filesystem_error& error) {
    const std::string path = error.path1().empty() ? directory_.string() : error.path1().string();
    throw Failure{ExitCode::kOutput, fmt::format("cannot prepare {}: {}", path, error.code().message())};
  }
}

void Publication::publish(const std::string& name, std::span<const std::byte> content) const {
  TemporaryFile file{path(name)};
  file.write(content);
  file.move_to_place();
}

}  // namespace tributary::segmenter
