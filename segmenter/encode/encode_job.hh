#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/encode/encoding_options.hh"
#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/encoders/picture_meter.hh"
#include "segmenter/libav/source_damage.hh"
#include "segmenter/progress.hh"
#include "segmenter/publish/presentation_publication.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/subtitles/subtitle_reader.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// The length of a section that is longer than any film.
inline constexpr Duration kUndivided = std::chrono::hours{24 * 365};

struct EncodeOptions : EncodingOptions {
  std::string input;  // a file, or "-"
  std::filesystem::path output;
  std::vector<Chapter> chapters;  // of the source
  bool all_sounds = false;        // every audio track, not only the best
  bool source_subtitles = true;   // use those in the input, too
  std::vector<SubtitleFile> subtitles;
  MetricChoice metrics;
  ManifestChoice manifests;
  bool thumbnails = true;                                           // for seek bars
  Publication::Existing existing = Publication::Existing::kRefuse;  // treatment of a directory with content
  Duration section = std::chrono::seconds{60};                      // encoders begin afresh after this time
  std::optional<ShardNumber> shard;                                 // the only shard to encode
  int jobs = 0;  // sections to encode at the same time; 0: by the number of cores
};

struct EncodeResult {
  std::uint64_t pictures = 0;
  std::uint64_t segments = 0;
  Duration media{};                  // duration of these pictures
  std::optional<Duration> expected;  // duration that the input states
  SourceDamage damage{};
  std::uint64_t segments_before = 0;  // made by an earlier run
  std::vector<std::string> remarks;   // parts of the input that the presentation lacks: "film.mkv: left out: ..."
};

/// Turns the input into a presentation: decodes once, encodes every quality and the sound at the same time, and
/// publishes segment by segment. Manifests and index come last.
///
/// Throws Failure, and then leaves no index. The flag, set from a signal handler, ends the work with Failure
/// (interrupted). With the same options, the next run goes on after the complete sections.
EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress);

}  // namespace tributary::segmenter
