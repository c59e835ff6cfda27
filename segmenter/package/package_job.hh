#pragma once

#include <atomic>
#include <string_view>
#include <vector>

#include "segmenter/encode/encode_job.hh"

namespace tributary::segmenter {

/// A file of which the presentation gets a track: one quality, or a sound.
struct PackageInput {
  std::string name;  // of the quality, and its directory
  std::string path;
};

/// "high=film.mp4" or "film.mp4", which is called "film" then. Throws std::invalid_argument when that is no name
/// for a quality.
PackageInput parse_package_input(std::string_view text);

struct PackageOptions {
  std::vector<PackageInput> inputs;
  std::filesystem::path output;
  Duration segment = std::chrono::seconds{2};
  bool sound = true;
  bool source_subtitles = true;  // those in the inputs, too
  std::vector<SubtitleFile> subtitles;
  ManifestChoice manifests;
  TrackLayout layout;
  Publication::Existing existing = Publication::Existing::kRefuse;  // what is in the output directory
};

/// Turns encoded files, one for each quality, into a presentation without encoding them again. The sounds are those of
/// the files without a picture, or else of the first file that has some; subtitles are those of the first file that has
/// some. Throws Failure, and leaves no index then, when
/// the files do not agree or cannot be cut where segments begin. The flag, set from a signal handler, ends it with
/// Failure (interrupted).
EncodeResult package(const PackageOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress);

}  // namespace tributary::segmenter
