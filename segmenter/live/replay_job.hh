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
  Duration part{};  // longest part that is a file of its own; zero: none is
  LiveWindowOptions window;
};

struct ReplayResult {
  std::uint64_t segments = 0;
  std::uint64_t first_number = 1;
  Duration media{};  // duration of these segments
};

/// Publishes a prepared presentation as if it were live, without encoding: each segment when its time has come. Files
/// are links to the prepared ones; if the timeline differs, they are copies with moved timestamps. In a repetition,
/// numbers and timeline go on. With parts, files are made anew of the prepared samples. Returns at the end, or when the flag is set. Throws Failure.
ReplayResult replay_live(const ReplayOptions& options, const std::atomic<bool>& stop, ProgressReport& progress);

/// A media segment with its timestamps moved by `ticks`. Throws BoxError.
std::string move_in_time(std::string segment, std::uint64_t ticks);

}  // namespace tributary::segmenter
