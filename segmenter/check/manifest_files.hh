#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace tributary::segmenter {

/// The index and the manifests of a directory, of one moment: while a live presentation is published, they change.
class ManifestFiles {
 public:
  /// Throws Failure (input) if there is no index.
  explicit ManifestFiles(const std::filesystem::path& directory);

  const std::string& index() const { return index_; }
  /// Nothing if there is no such manifest, or if it cannot be read.
  std::optional<std::string> read(const std::string& name) const;

 private:
  std::string index_;
  std::map<std::string, std::string> manifests_;  // by their names relative to the index
};

}  // namespace tributary::segmenter
