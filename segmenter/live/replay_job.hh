#pragma once

#include <atomic>
#include <filesystem>

#include "media/iso_box.hh"
#include "segmenter/live/live_publication.hh"
#include "segmenter/progress.hh"

namespace tributary::segmenter {

struct ReplayOptions {
  std::filesystem::path input;  // the directory of a complete presentation
  bool repeat = false;
  std::filesystem::path output;
  LiveWindowOptions window;
};

struct ReplayResult {
  std::uint64_t segments = 0;
  std::uint64_t first_number = 1;
  Duration media{};  // of these segments
};

/// Publishes a prepared presentation as if it were live, each segment when its time has come, without encoding: files are
/// links to the prepared ones, or copies whose timestamps are moved where the timeline is. Repeated, numbers and timeline
/// go on. Until the flag is set or the end is reached. Throws Failure.
ReplayResult replay_live(const ReplayOptions& options, const std::atomic<bool>& stop, ProgressReport& progress);

/// A media segment with its timestamps moved by so many ticks. Throws BoxError.
std::string move_in_time(std::string segment, std::uint64_t ticks);

}  // namespace tributary::segmenter
