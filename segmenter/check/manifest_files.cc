#include "segmenter/check/manifest_files.hh"

#include <fmt/format.h>

#include "segmenter/failure.hh"
#include "segmenter/publish/file_bytes.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

constexpr int kMostTries = 20;  // at the most a few are needed, because files are read faster than segments come

std::string index_of(const fs::path& directory) {
  const fs::path path = directory / kIndexName;
  auto text = read_file(path);
  if (!text) throw Failure{ExitCode::kInput, fmt::format("cannot read {}", path.string())};
  return *std::move(text);
}

std::map<std::string, std::string> manifests_of(const fs::path& directory) {
  std::map<std::string, std::string> manifests;
  std::error_code error;
  for (fs::recursive_directory_iterator file{directory, error}; !error && file != fs::recursive_directory_iterator{};
       file.increment(error)) {
    if (file.depth() > 0) file.disable_recursion_pending();
    const std::string extension = file->path().extension();
    if (extension != ".m3u8" && extension != ".mpd") continue;
    if (auto text = read_file(file->path()))
      manifests.emplace(file->path().lexically_relative(directory).generic_string(), *std::move(text));
  }
  return manifests;
}

}  // namespace

ManifestFiles::ManifestFiles(const fs::path& directory) {
  for (int i = 0; i < kMostTries; ++i) {
    index_ = index_of(directory);
    manifests_ = manifests_of(directory);
    if (index_of(directory) == index_) return;
  }
}

std::optional<std::string> ManifestFiles::read(const std::string& name) const {
  const auto found = manifests_.find(fs::path{name}.lexically_normal().generic_string());
  return found == manifests_.end() ? std::nullopt : std::optional{found->second};
}

}  // namespace tributary::segmenter
