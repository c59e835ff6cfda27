#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::segmenter {

/// Where a live presentation begins, or goes on after an earlier run: numbers and timeline only go forward, and now is at
/// `start` on the timeline, whatever happened to the clock.
struct LiveBeginning {
  UtcTime availability_start;       // zero of the timeline
  Duration start{};                 // now, on the timeline
  std::uint64_t first_number = 1;   // of the first new segment
  std::uint64_t oldest_number = 1;  // of the oldest file that may be there
  std::uint32_t interruptions = 0;
  std::vector<std::string> tracks;  // of the earlier run; none if there was none
  /// What earlier runs listed, in the order of time; nothing of a run that was completed.
  std::vector<Presentation> stretches{};

  bool operator==(const LiveBeginning&) const = default;
};

/// By what is in the directory: its index, and the numbers of its files, of which the last may not have been listed.
/// Throws Failure (usage) if it holds anything but a live presentation.
LiveBeginning find_beginning(const Publication& publication, UtcTime now);

}  // namespace tributary::segmenter
