#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "manifests/manifest.hh"

namespace tributary::testing {

/// Files that a manifest may need, by their addresses, and what was asked for.
struct ManifestFiles {
  std::map<std::string, std::string> files;
  std::vector<std::string> asked{};

  FetchFiles fetch() {
    return [this](std::span<const WantedFile> wanted) {
      std::vector<FetchedFile> fetched;
      for (const WantedFile& file : wanted) {
        asked.push_back(file.url);
        auto found = files.find(file.url);
        for (const std::string& other : file.also_at) {
          if (found == files.end()) found = files.find(other);
        }
        if (found == files.end()) {
          if (!file.may_fail) throw std::runtime_error(file.url + ": there is no such file");
          fetched.push_back({.url = file.url, .failure = "there is no such file"});
          continue;
        }
        std::string bytes = found->second;
        if (file.range)
          bytes = bytes.substr(static_cast<std::size_t>(file.range->begin.bytes()),
                               static_cast<std::size_t>(file.range->size().bytes()));
        fetched.push_back({found->first, std::move(bytes)});
      }
      return fetched;
    };
  }
};

inline Opened opened(const std::string& text, const std::string& url, ManifestFiles files = {}) {
  return open_manifest(text, url, files.fetch());
}

/// Why the manifest is refused.
inline std::string refusal(const std::string& text, const std::string& url = "https://film.example/a/manifest",
                           ManifestFiles files = {}) {
  try {
    open_manifest(text, url, files.fetch());
  } catch (const ManifestError& error) {
    return error.what();
  }
  ADD_FAILURE() << "it is not refused";
  return "";
}

}  // namespace tributary::testing
