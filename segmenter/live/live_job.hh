#pragma once

#include "segmenter/encode/encode_job.hh"
#include "segmenter/live/live_publication.hh"

namespace tributary::segmenter {

struct LiveOptions {
  std::string input;  // a file, "-", or what InputDecoder knows beside
  bool repeat = false;
  std::filesystem::path output;
  std::vector<Quality> ladder;  // empty: as suits the source
  Duration segment = std::chrono::seconds{2};
  int fastest = kUsualFastest;  // pictures a second
  VideoEncoding video;
  std::optional<SoundEncoding> audio;
  LiveWindowOptions window;
  TrackLayout layout;
  Duration reconnect = std::chrono::minutes{10};  // so long a source that has gone away is waited for
};

struct LiveResult {
  std::uint64_t segments = 0;
  std::uint64_t first_number = 1;
  std::uint64_t pictures = 0, left_out = 0;
  SourceDamage damage{};
  std::uint64_t interruptions = 0;  // after which the source came back
  Duration media{};                 // of the pictures
};

/// Encodes a source while it plays, and publishes each segment as soon as it is there in all tracks, until the source or
/// the flag ends it; then the last segment is short, and the presentation complete. When the source goes away or fails, the
/// last segment is short, too, and when it comes back, the timeline goes on, with a hole; if it does not, the presentation is
/// complete. Throws Failure; when the output fails, what is published stays and is not completed.
LiveResult stream_live(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& progress);

}  // namespace tributary::segmenter
