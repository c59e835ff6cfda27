#include "segmenter/live_publication.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "segmenter/failure.hh"

namespace tributary::segmenter {

LivePublication::LivePublication(const Publication& publication, const LiveBeginning& beginning,
                                 const LiveWindowOptions& options)
    : publication_{publication},
      beginning_{beginning},
      options_{options},
      oldest_file_{beginning.oldest_number} {
  presentation_.live =
      LiveWindow{beginning.availability_start, options.segments, options.kept, beginning.interruptions};
  presentation_.complete = false;
}

void LivePublication::set_tracks(std::vector<Track> tracks, double nominal_segment_seconds) {
  const std::lock_guard lock{mutex_};
  const bool same = std::ranges::equal(tracks, beginning_.tracks, {}, &Track::id);
  if (!beginning_.tracks.empty() && !same) {
    throw Failure{ExitCode::kUsage, fmt::format("{} is of a stream with other tracks: use another directory",
                                                (publication_.directory() / kIndexName).string())};
  }
  waiting_.resize(tracks.size());
  presentation_.tracks = std::move(tracks);
  presentation_.nominal_segment_seconds = nominal_segment_seconds;
}

void LivePublication::segment_written(const std::string& track, DataSize size, std::uint64_t ticks) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(presentation_.tracks, track, &Track::id);
  assert(found != presentation_.tracks.end());
  waiting_[static_cast<std::size_t>(found - presentation_.tracks.begin())].push_back({size, ticks});
  while (row_is_complete()) {
    list_row();
    publish();
    remove_old_files();
  }
}

void LivePublication::end() {
  const std::lock_guard lock{mutex_};
  if (segments_ == 0) return;
  presentation_.complete = true;
  publish();
}

std::uint64_t LivePublication::segments() const {
  const std::lock_guard lock{mutex_};
  return segments_;
}

bool LivePublication::row_is_complete() const {
  return std::ranges::none_of(waiting_, [](const auto& segments) { return segments.empty(); });
}

void LivePublication::list_row() {
  if (presentation_.tracks[0].sizes.size() == options_.segments) drop_oldest();
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Track& track = presentation_.tracks[i];
    track.sizes.push_back(waiting_[i].front().size);
    track.durations.push_back(waiting_[i].front().ticks);
    waiting_[i].pop_front();
  }
  ++segments_;
}

void LivePublication::drop_oldest() {
  for (Track& track : presentation_.tracks) {
    ++track.first_number;
    track.start += track.durations.front();
    track.sizes.erase(track.sizes.begin());
    track.durations.erase(track.durations.begin());
  }
}

void LivePublication::publish() {
  publish_presentation(publication_, presentation_, options_.manifests, created_);
}

/// After the manifests: what they named a moment ago stays for as long as a client may need that has read them.
void LivePublication::remove_old_files() {
  for (; oldest_file_ + options_.kept < presentation_.tracks[0].first_number; ++oldest_file_) {
    for (const Track& track : presentation_.tracks) publication_.remove(track.segment_uri(oldest_file_));
  }
}

}  // namespace tributary::segmenter
