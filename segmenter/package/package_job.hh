#pragma once

#include <atomic>
#include <string_view>
#include <vector>

#include "segmenter/encode/encode_job.hh"

namespace tributary::segmenter {

/// A file that becomes a track of the presentation: one quality, or a sound.
struct PackageInput {
  std::string name;  // of the quality, and its directory
  std::string path;
};

/// Reads "high=film.mp4", or "film.mp4" with the name "film". Throws std::invalid_argument if the name is none for a
/// quality.
PackageInput parse_package_input(std::string_view text);

struct PackageOptions {
  std::vector<PackageInput> inputs;
  std::filesystem::path output;
  std::optional<std::string> title;  // nothing: that of the first picture that has one
  Duration segment = std::chrono::seconds{2};
  bool encode_differing = false;  // encode files anew whose key frames are not where those of the others are
  bool sound = true;
  bool source_subtitles = true;  // use those in the inputs, too
  std::vector<SubtitleFile> subtitles;
  ManifestChoice manifests;
  bool thumbnails = true;  // for seek bars
  TrackLayout layout;
  Publication::Existing existing = Publication::Existing::kRefuse;  // treatment of a directory with content
};

/// Turns encoded files, one for each quality, into a presentation without encoding them again, but for those that
/// `encode_differing` allows. The sounds are those of
/// files without a picture, or else of the first file that has some. Subtitles are those of the first file that has
/// some.
///
/// If the files do not agree, or cannot be cut where segments begin, throws Failure and leaves nothing behind. The flag,
/// set from a signal handler, ends the work with Failure (interrupted), and so leaves nothing either.
EncodeResult package(const PackageOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress);

}  // namespace tributary::segmenter
