#include "segmenter/publication.hh"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include "segmenter/failure.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(std::string_view action, const fs::path& path, int error) {
  throw Failure{ExitCode::kOutput,
                fmt::format("cannot {} {}: {}", action, path.string(), std::strerror(error))};
}

fs::path temporary_name(const fs::path& place) {
  return place.parent_path() / fmt::format(".{}.tmp", place.filename().string());
}

/// A file under a temporary name, which vanishes unless it is renamed to its place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& place) : place_{place}, path_{temporary_name(place)} {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail("create", place_, errno);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }

  void write(std::span<const std::byte> content) {
    while (!content.empty()) {
      const ssize_t written = ::write(descriptor_, content.data(), content.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail("write", place_, written < 0 ? errno : EIO);
      content = content.subspan(static_cast<std::size_t>(written));
    }
  }

  void move_to_place() {
    // Some file systems report a full disk or a lost server only here.
    if (close(std::exchange(descriptor_, -1)) != 0) fail("write", place_, errno);
    if (rename(path_.c_str(), place_.c_str()) != 0) fail("rename to", place_, errno);
    renamed_ = true;
  }

 private:
  fs::path place_, path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

bool is_segment_file(const std::string& name) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string stem = name.substr(0, name.find('.'));
  const bool numbered = !stem.empty() && std::all_of(stem.begin(), stem.end(), is_digit);
  return name == "init.mp4" || name == kMediaPlaylistName ||
         (numbered && (name.ends_with(".m4s") || name.ends_with(".bin"))) ||
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

Publication::Publication(fs::path directory, bool replace) : directory_{std::move(directory)} {
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
  const fs::path place = directory_ / name;
  std::error_code error;
  fs::create_directories(place.parent_path(), error);
  if (error) fail("create the directory of", place, error.value());
  TemporaryFile file{place};
  file.write(content);
  file.move_to_place();
}

}  // namespace tributary::segmenter
