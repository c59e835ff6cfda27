#include "segmenter/live/live_beginning.hh"

#include <fmt/format.h>

#include <algorithm>

#include "presentation/json/json_index.hh"
#include "segmenter/failure.hh"
#include "segmenter/libav/track_time.hh"
#include "segmenter/publish/file_bytes.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// By rounding, the end of the last segment may be ahead of the clock.
constexpr Duration kAhead = std::chrono::seconds{1};

[[noreturn]] void refuse(const fs::path& directory, std::string_view why) {
  throw Failure{ExitCode::kUsage, fmt::format("{} {}: use another directory", directory.string(), why)};
}

void go_on(LiveBeginning& beginning, const Presentation& earlier, UtcTime now) {
  beginning.availability_start = earlier.live->availability_start;
  beginning.interruptions = earlier.live->interruptions + 1;
  beginning.start = now - beginning.availability_start;
  for (const Track& track : earlier.tracks) {
    beginning.tracks.push_back(track.id);
    beginning.first_number = std::max(beginning.first_number, track.first_number + track.sizes.size());
    const auto end = static_cast<double>(track.start + total_ticks(track)) / track.timescale;
    beginning.start = std::max(beginning.start, from_seconds(end));
  }
  // The clock was put back since then. Without a new zero, players would wait until the clock has caught up.
  if (beginning.availability_start + beginning.start > now + kAhead)
    beginning.availability_start = std::chrono::floor<std::chrono::milliseconds>(now - beginning.start);
  if (!earlier.complete) beginning.stretches.push_back(earlier);
}

/// Begins behind the highest number of all files, so that no number is used twice.
void look_at_files(LiveBeginning& beginning, const fs::path& directory) {
  beginning.oldest_number = beginning.first_number;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (entry.is_regular_file()) {
      const bool ours =
          name == kIndexName || name == kDashManifestName || name == kDashPartsName || name == kMasterPlaylistName;
      if (!ours) refuse(directory, fmt::format("holds {}, which is no part of a live presentation", name));
    }
    if (!entry.is_directory()) continue;
    for (const auto& file : fs::directory_iterator(entry)) {
      const std::string file_name = file.path().filename().string();
      const auto number = segment_number(file_name), parted = number_of_parted_segment(file_name);
      if (!number && !parted) continue;
      beginning.first_number = std::max(beginning.first_number, number.value_or(parted.value_or(0)) + 1);
      if (number) beginning.oldest_number = std::min(beginning.oldest_number, *number);
      if (parted) beginning.part_files[*parted].push_back(fmt::format("{}/{}", name, file_name));
    }
  }
}

}  // namespace

LiveBeginning find_beginning(const Publication& publication, UtcTime now) {
  const fs::path& directory = publication.directory();
  LiveBeginning beginning;
  beginning.availability_start = now;
  if (const auto index = read_file(directory / kIndexName)) {
    try {
      const Presentation earlier = read_index(*index);
      if (!earlier.live) refuse(directory, "holds a presentation that is not live");
      go_on(beginning, earlier, now);
    } catch (const IndexError& error) {
      refuse(directory, fmt::format("holds an index that cannot be read ({})", error.what()));
    }
  }
  try {
    look_at_files(beginning, directory);
  } catch (const fs::filesystem_error& error) {
    throw Failure{ExitCode::kOutput, fmt::format("cannot read {}: {}", error.path1().string(), error.code().message())};
  }
  return beginning;
}

}  // namespace tributary::segmenter
