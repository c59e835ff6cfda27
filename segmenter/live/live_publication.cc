#include "segmenter/live/live_publication.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "segmenter/failure.hh"
#include "segmenter/publish/track_bitrate.hh"

namespace tributary::segmenter {

LivePublication::LivePublication(const Publication& publication, const LiveBeginning& beginning,
                                 const LiveWindowOptions& options)
    : publication_{publication},
      beginning_{beginning},
      options_{options},
      earlier_{beginning.stretches},
      oldest_file_{beginning.oldest_number} {
  presentation_.live = LiveWindow{beginning.availability_start, options.segments, options.kept, beginning.interruptions,
                                  std::chrono::floor<std::chrono::milliseconds>(beginning.start)};
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
  for (const Presentation& stretch : earlier_) {
    for (Track& track : presentation_.tracks) raise_rates(track.bitrate, stretch.find_track(track.id)->bitrate);
  }
  presentation_.nominal_segment_seconds = nominal_segment_seconds;
}

void LivePublication::set_title(const std::string& title) {
  const std::lock_guard lock{mutex_};
  presentation_.title = title;
}

void LivePublication::segment_written(const WrittenSegment& segment) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(presentation_.tracks, segment.track, &Track::id);
  assert(found != presentation_.tracks.end());
  waiting_[static_cast<std::size_t>(found - presentation_.tracks.begin())].push_back({segment.size, segment.ticks});
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
  earlier_.clear();
  publish();
}

std::uint64_t LivePublication::segments() const {
  const std::lock_guard lock{mutex_};
  return segments_;
}

bool LivePublication::row_is_complete() const {
  return std::ranges::none_of(waiting_, [](const auto& segments) { return segments.empty(); });
}

std::size_t LivePublication::listed() const {
  std::size_t listed = presentation_.tracks[0].sizes.size();
  for (const Presentation& stretch : earlier_) listed += stretch.tracks[0].sizes.size();
  return listed;
}

void LivePublication::list_row() {
  while (listed() >= options_.segments) {
    drop_oldest(earlier_.empty() ? presentation_ : earlier_.front());
    if (!earlier_.empty() && earlier_.front().tracks[0].sizes.empty()) earlier_.erase(earlier_.begin());
  }
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    Track& track = presentation_.tracks[i];
    track.sizes.push_back(waiting_[i].front().size);
    track.durations.push_back(waiting_[i].front().ticks);
    waiting_[i].pop_front();
    raise_rates(track.bitrate, measure_bitrate(track, track.bitrate.target));
  }
  ++segments_;
}

/// Raises maximum and peak only: clients sort qualities by the average, which stays.
void LivePublication::raise_rates(TrackBitrate& rates, const TrackBitrate& others) {
  rates.maximum = std::max(rates.maximum, others.maximum);
  rates.peak = std::max(rates.peak, others.peak);
}

void LivePublication::drop_oldest(Presentation& presentation) {
  for (Track& track : presentation.tracks) {
    ++track.first_number;
    track.start += track.durations.front();
    track.sizes.erase(track.sizes.begin());
    track.durations.erase(track.durations.begin());
  }
}

std::vector<Presentation> LivePublication::stretches() const {
  const std::lock_guard lock{mutex_};
  std::vector<Presentation> all = earlier_;
  if (segments_ > 0) all.push_back(presentation_);
  return all;
}

void LivePublication::publish() {
  publish_presentation(publication_, presentation_, options_.manifests, LiveRecord{created_, earlier_});
}

/// To be called after the manifests: a client may still fetch segments that the earlier manifests named, so `kept`
/// files stay.
void LivePublication::remove_old_files() {
  const Presentation& oldest = earlier_.empty() ? presentation_ : earlier_.front();
  for (; oldest_file_ + options_.kept < oldest.tracks[0].first_number; ++oldest_file_) {
    for (const Track& track : presentation_.tracks) publication_.remove(track.segment_uri(oldest_file_));
  }
}

}  // namespace tributary::segmenter
