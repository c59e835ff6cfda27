#pragma once

#include "segmenter/encode/encode_job.hh"
#include "segmenter/live/live_publication.hh"

namespace tributary::segmenter {

struct LiveOptions : EncodingOptions {
  std::string input;  // a file, "-", or another source that InputDecoder knows
  bool repeat = false;
  std::filesystem::path output;
  LiveWindowOptions window;
  Duration reconnect = std::chrono::minutes{10};  // time to wait for a source that has gone away
};

struct LiveResult {
  std::uint64_t segments = 0;
  std::uint64_t first_number = 1;
  std::uint64_t pictures = 0, left_out = 0;
  SourceDamage damage{};
  std::uint64_t interruptions = 0;  // number of times that the source came back
  Duration media{};                 // duration of the pictures
};

/// Encodes a source while it plays, and publishes each segment as soon as all tracks have it. When the source ends, or
/// the flag is set, the last segment is short, and the presentation is complete.
///
/// If the source goes away or fails, the last segment is short, too. If the source comes back, the timeline goes on
/// with a hole; if it does not, the presentation is complete. Throws Failure; if the output fails, published segments
/// stay, and the presentation is not completed.
LiveResult stream_live(const LiveOptions& options, const std::atomic<bool>& stop, ProgressReport& progress);

}  // namespace tributary::segmenter
