#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "nginx_server.hh"

namespace tributary::testing {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file{path, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// A presentation on a real server.
class ServedFilm {
 public:
  explicit ServedFilm(const std::filesystem::path& directory, const std::string& directives = "")
      : nginx_{{.directives = directives}} {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{directory}) {
      if (entry.is_regular_file())
        nginx_.put(std::filesystem::relative(entry.path(), directory).string(), content_of(entry.path()));
    }
  }
  std::string url(const std::string& name = "index.json") const {
    return fmt::format("http://127.0.0.1:{}/{}", nginx_.port(), name);
  }

 private:
  NginxServer nginx_;
};

}  // namespace tributary::testing
