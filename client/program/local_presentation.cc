#include "program/local_presentation.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <glib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>

#include "manifests/manifest.hh"
#include "system/glib_handles.hh"
#include "transport/connections/origin.hh"
#include "units/text/redacted_url.hh"
#include "worlds/discovery/folder_titles.hh"

namespace tributary {
namespace {

constexpr std::string_view kOrigin = "http://files.invalid";  // stands for the local files (RFC 6761 section 6.4)

std::string contents(const std::filesystem::path& path) {
  std::ifstream in{path, std::ios::binary};
  if (!in)
    throw std::runtime_error(
        fmt::format("cannot read {} (a simulation needs the manifest as a local file)", path.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

/// In a folder, the first of its manifests.
std::string manifest_at(const std::filesystem::path& path) {
  std::error_code unreadable;
  if (!std::filesystem::is_directory(path, unreadable)) return path.string();
  for (const std::string_view name : kManifestNames) {
    if (std::filesystem::exists(path / name, unreadable)) return (path / name).string();
  }
  throw std::runtime_error(
      fmt::format("{}: this folder has none of {}", path.string(), fmt::join(kManifestNames, ", ")));
}

std::string url_of(const std::filesystem::path& path) {
  const std::string absolute = std::filesystem::absolute(path).lexically_normal();
  return std::string{kOrigin} + GlibString{g_uri_escape_string(absolute.c_str(), "/", FALSE)}.get();
}

std::filesystem::path path_of(const std::string& url) {
  if (!url.starts_with(std::string{kOrigin} + '/'))
    throw std::runtime_error(fmt::format("{}: a simulation needs all files to be local", redacted(url)));
  const std::string target = url.substr(kOrigin.size(), url.find_first_of("?#") - kOrigin.size());
  const GlibString path{g_uri_unescape_string(target.c_str(), nullptr)};
  if (!path) throw std::runtime_error(fmt::format("{}: this is no name of a file", target));
  return path.get();
}

std::vector<FetchedFile> read_files(std::span<const WantedFile> wanted) {
  std::vector<FetchedFile> files;
  for (const WantedFile& file : wanted) {
    std::string bytes = contents(path_of(file.url));
    if (file.range) {
      const auto begin = std::min(static_cast<std::size_t>(file.range->begin.bytes()), bytes.size());
      bytes = bytes.substr(begin, static_cast<std::size_t>(file.range->size().bytes()));
    }
    files.push_back({file.url, std::move(bytes)});
  }
  return files;
}

DataSize size_of_file(const std::string& url) {
  const std::filesystem::path path = path_of(url);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) throw std::runtime_error(fmt::format("{}: {}", path.string(), error.message()));
  return DataSize{static_cast<std::int64_t>(bytes)};
}

Presentation with_exact_sizes(Presentation presentation, const std::string& manifest) {
  const transport::FileLocation base = transport::parse_url(manifest);
  for (Track& track : presentation.tracks) {
    for (std::size_t i = 0; i < track.sizes.size(); ++i) {
      const auto index = static_cast<SegmentIndex>(i);
      if (!track.is_estimate(index) || !track.segment(index).whole_file) continue;
      track.sizes[i] = size_of_file(transport::resolve_uri(base, track.segment(index).uri).url());
      track.estimated[i] = false;
    }
    const auto measure = [&](std::optional<Resource>& init) {
      if (!init || !init->estimated) return;
      init->range.end = size_of_file(transport::resolve_uri(base, init->uri).url());
      init->estimated = false;
    };
    measure(track.init);
    for (Stretch& stretch : track.stretches) measure(stretch.init);
  }
  return presentation;
}

}  // namespace

LocalPresentation read_local_presentation(const std::string& file_or_folder) {
  const std::string path = manifest_at(file_or_folder);
  const std::string text = contents(path), url = url_of(path);
  try {
    Opened opened = open_manifest(text, url, read_files);
    Presentation exact = with_exact_sizes(opened.presentation, url);
    return {std::move(opened.presentation), std::move(exact), std::move(opened.left_out)};
  } catch (const ManifestError& error) {
    throw std::runtime_error(fmt::format("{}: {}", path, error.what()));
  }
}

FramesOfTracks read_local_frames(const std::string& file_or_folder, const Presentation& presentation) {
  const transport::FileLocation base = transport::parse_url(url_of(manifest_at(file_or_folder)));
  FramesOfTracks frames;
  for (std::size_t i = 0; i < presentation.tracks.size(); ++i) {
    const Track& track = presentation.tracks[i];
    if (!track.frames) continue;
    const std::filesystem::path path = path_of(transport::resolve_uri(base, *track.frames).url());
    try {
      frames.emplace(i, read_frame_index(contents(path), track));
    } catch (const JsonError& error) {
      throw std::runtime_error(fmt::format("{}: {}", path.string(), error.what()));
    }
  }
  return frames;
}

}  // namespace tributary
