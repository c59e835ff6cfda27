#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "presentation/presentation.hh"
#include "segmenter/publish/publication.hh"
#include "units/session_clock.hh"
#include "units/utc_time.hh"

namespace tributary::segmenter {

/// The point at which a live presentation begins, or goes on after an earlier run. Numbers and timeline only go
/// forward. The present is at `start` on the timeline, even if the clock was changed.
struct LiveBeginning {
  UtcTime availability_start;       // zero of the timeline
  Duration start{};                 // the present, on the timeline
  std::uint64_t first_number = 1;   // of the first new segment
  std::uint64_t oldest_number = 1;  // of the oldest file that may still exist
  /// Names of parts that an earlier run has left, by the number of their segment.
  std::map<std::uint64_t, std::vector<std::string>> part_files{};
  std::uint32_t interruptions = 0;
  std::vector<std::string> tracks;  // of the earlier run; none if there was none
  /// The segments that earlier runs listed, in the order of time, without completed runs.
  std::vector<Presentation> stretches{};

  bool operator==(const LiveBeginning&) const = default;
};

/// Reads the directory: its index, and the numbers of its files, because the index may not list the last ones. Throws
/// Failure (usage) if the directory holds anything but a live presentation.
LiveBeginning find_beginning(const Publication& publication, UtcTime now);

}  // namespace tributary::segmenter
