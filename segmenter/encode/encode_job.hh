#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "segmenter/encode/unfinished_run.hh"
#include "segmenter/encoders/audio_encoder.hh"
#include "segmenter/encoders/picture_meter.hh"
#include "segmenter/encoders/video_encoding.hh"
#include "segmenter/libav/picture_rate.hh"
#include "segmenter/libav/source_damage.hh"
#include "segmenter/plan/ladder.hh"
#include "segmenter/progress.hh"
#include "segmenter/publish/presentation_publication.hh"
#include "segmenter/publish/publication.hh"
#include "segmenter/subtitles/subtitle_reader.hh"
#include "units/data_rate.hh"
#include "units/session_clock.hh"

namespace tributary::segmenter {

/// As a section: longer than any film.
inline constexpr Duration kUndivided = std::chrono::hours{24 * 365};

struct EncodeOptions {
  std::string input;  // a file, or "-"
  std::filesystem::path output;
  std::vector<Quality> ladder;  // empty: as suits the source
  Duration segment = std::chrono::seconds{2};
  int fastest = kUsualFastest;  // pictures a second
  VideoEncoding video;
  std::optional<SoundEncoding> audio;  // nothing: no sound
  bool all_sounds = false;             // not only the best
  bool source_subtitles = true;        // those in the input, too
  std::vector<SubtitleFile> subtitles;
  MetricChoice metrics;
  ManifestChoice manifests;
  TrackLayout layout;
  Publication::Existing existing = Publication::Existing::kRefuse;  // what is in the output directory
  Duration section = std::chrono::seconds{60};                      // encoders begin afresh so often
  std::optional<PartNumber> part;                                   // encodes only this one
  int jobs = 0;  // sections that are encoded at the same time; 0: as many as cores suggest
};

struct EncodeResult {
  std::uint64_t pictures = 0;
  std::uint64_t segments = 0;
  Duration media{};                  // of these pictures
  std::optional<Duration> expected;  // of the input, as it states
  SourceDamage damage{};
  std::uint64_t segments_before = 0;  // that an earlier run had made
  std::vector<std::string> remarks;   // what the input has, and the presentation has not: "film.mkv: left out: ..."
};

/// Turns the input into a presentation: decodes once, encodes every quality and the sound at the same time,
/// and publishes segment by segment; manifests and index come last. Throws Failure, and leaves no index then. The
/// flag, set from a signal handler, ends it with Failure (interrupted). With the same options, the next run goes on after
/// the sections that are complete.
EncodeResult encode(const EncodeOptions& options, const std::atomic<bool>& interrupted, ProgressReport& progress);

}  // namespace tributary::segmenter
