#include "segmenter/live/live_publication.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "segmenter/failure.hh"
#include "segmenter/publish/hls_playlist.hh"
#include "segmenter/publish/track_bitrate.hh"

namespace tributary::segmenter {
namespace {

/// Parts are listed within so many target durations of the end (draft-pantos-hls-rfc8216bis section 6.2.2).
constexpr std::uint64_t kListedTargetDurations = 3;
/// Segments for which the files of parts stay after they have left the lists.
constexpr std::uint64_t kSegmentsWithFiles = 4;

void forget_parts(Presentation& presentation) {
  for (Track& track : presentation.tracks) track.parts.reset();
}

}  // namespace

LivePublication::LivePublication(const Publication& publication, const LiveBeginning& beginning,
                                 const LiveWindowOptions& options)
    : publication_{publication},
      beginning_{beginning},
      options_{options},
      earlier_{beginning.stretches},
      part_files_{beginning.part_files},
      oldest_file_{beginning.oldest_number} {
  presentation_.live = LiveWindow{beginning.availability_start, options.segments, options.kept, beginning.interruptions,
                                  std::chrono::floor<std::chrono::milliseconds>(beginning.start)};
  presentation_.complete = false;
  for (Presentation& stretch : earlier_) forget_parts(stretch);
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
  waiting_[index_of(segment.track)].push_back({Kind::kSegment, {segment.ticks, segment.size, true}});
  list_rows();
}

void LivePublication::part_written(const WrittenPart& part) {
  const std::lock_guard lock{mutex_};
  const std::size_t track = index_of(part.track);
  part_files_[part.segment].push_back(presentation_.tracks[track].parts->part_uri(part.segment, part.index));
  waiting_[track].push_back({Kind::kPart, part.part});
  list_rows();
}

std::size_t LivePublication::index_of(const std::string& track) const {
  const auto found = std::ranges::find(presentation_.tracks, track, &Track::id);
  assert(found != presentation_.tracks.end());
  return static_cast<std::size_t>(found - presentation_.tracks.begin());
}

void LivePublication::list_rows() {
  while (row_is_complete()) {
    const auto row = take_row();
    if (!row) continue;
    if (row->kind == Kind::kPart) {
      list_parts(*row);
      if (segments_ > 0) publish_parts(publication_, presentation_, options_.manifests, created_);
    } else {
      list_segments(*row);
      publish();
      remove_old_files();
      remove_old_parts();
    }
  }
}

void LivePublication::end() {
  const std::lock_guard lock{mutex_};
  if (segments_ == 0) return;
  presentation_.complete = true;
  forget_parts(presentation_);
  earlier_.clear();
  publish();
}

std::uint64_t LivePublication::segments() const {
  const std::lock_guard lock{mutex_};
  return segments_;
}

bool LivePublication::row_is_complete() const {
  return std::ranges::none_of(waiting_, [](const auto& pieces) { return pieces.empty(); });
}

/// While encoders are much too slow, a track may have fewer parts of a segment than others. Then there is no row, and the
/// parts of the others are left out.
std::optional<LivePublication::Row> LivePublication::take_row() {
  const auto begins_with_part = [](const auto& pieces) { return pieces.front().kind == Kind::kPart; };
  const bool are_parts = std::ranges::any_of(waiting_, begins_with_part);
  Row row{are_parts ? Kind::kPart : Kind::kSegment, {}};
  for (std::deque<Piece>& pieces : waiting_) {
    if (are_parts && !begins_with_part(pieces)) continue;
    row.pieces.push_back(pieces.front().content);
    pieces.pop_front();
  }
  if (row.pieces.size() == waiting_.size()) return row;
  unlist_parts();
  return std::nullopt;
}

std::size_t LivePublication::listed() const {
  std::size_t listed = presentation_.tracks[0].sizes.size();
  for (const Presentation& stretch : earlier_) listed += stretch.tracks[0].sizes.size();
  return listed;
}

void LivePublication::list_segments(const Row& row) {
  while (listed() >= options_.segments) {
    drop_oldest(earlier_.empty() ? presentation_ : earlier_.front());
    if (!earlier_.empty() && earlier_.front().tracks[0].sizes.empty()) earlier_.erase(earlier_.begin());
  }
  for (std::size_t i = 0; i < row.pieces.size(); ++i) {
    Track& track = presentation_.tracks[i];
    track.sizes.push_back(row.pieces[i].size);
    track.durations.push_back(row.pieces[i].ticks);
    raise_rates(track.bitrate, measure_bitrate(track, track.bitrate.target));
  }
  ++segments_;
  parts_disagree_ = false;
  unlist_old_parts();
}

void LivePublication::list_parts(const Row& row) {
  for (std::size_t i = 0; i < row.pieces.size(); ++i) {
    if (row.pieces[i].ticks > presentation_.tracks[i].parts->target) unlist_parts();
  }
  if (parts_disagree_) return;
  const std::uint64_t number = next_number();
  for (std::size_t i = 0; i < row.pieces.size(); ++i) {
    std::vector<SegmentParts>& segments = presentation_.tracks[i].parts->segments;
    if (segments.empty() || segments.back().segment != number) segments.push_back({number, {}});
    segments.back().parts.push_back(row.pieces[i]);
  }
  unlist_old_parts();
}

/// Until the next segment, and also those before, because lists of parts have no holes.
void LivePublication::unlist_parts() {
  parts_disagree_ = true;
  for (Track& track : presentation_.tracks) track.parts->segments.clear();
}

void LivePublication::unlist_old_parts() {
  const Track& leading = presentation_.tracks[0];
  if (!leading.parts || leading.parts->segments.empty()) return;
  const auto room =
      kListedTargetDurations * static_cast<std::uint64_t>(target_duration(presentation_)) * leading.timescale;
  std::uint64_t oldest = next_number(), ticks = 0;
  if (leading.parts->segments.back().segment == oldest) {
    for (const LivePart& part : leading.parts->segments.back().parts) ticks += part.ticks;
  }
  for (; oldest > leading.first_number; --oldest) {
    ticks += leading.durations[oldest - 1 - leading.first_number];
    if (ticks > room) break;
  }
  for (Track& track : presentation_.tracks)
    std::erase_if(track.parts->segments, [&](const SegmentParts& segment) { return segment.segment < oldest; });
}

std::uint64_t LivePublication::next_number() const {
  const Track& leading = presentation_.tracks[0];
  return leading.first_number + leading.sizes.size();
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

void LivePublication::remove_old_parts() {
  const auto& parts = presentation_.tracks[0].parts;
  const std::uint64_t oldest = parts && !parts->segments.empty() ? parts->segments.front().segment : next_number();
  while (!part_files_.empty() && part_files_.begin()->first + kSegmentsWithFiles <= oldest) {
    for (const std::string& name : part_files_.begin()->second) publication_.remove(name);
    part_files_.erase(part_files_.begin());
  }
}

}  // namespace tributary::segmenter
