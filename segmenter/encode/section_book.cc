#include "segmenter/encode/section_book.hh"

#include <algorithm>

#include "segmenter/encoders/picture_meter.hh"

namespace tributary::segmenter {
namespace {

/// Moves the first `count` items out, or all if there are fewer.
template <typename T>
std::vector<T> take(std::vector<T>& from, std::size_t count) {
  const auto end = from.begin() + static_cast<std::ptrdiff_t>(std::min(count, from.size()));
  std::vector<T> taken{from.begin(), end};
  from.erase(from.begin(), end);
  return taken;
}

}  // namespace

void SectionBook::set_tracks(std::vector<Track> tracks) {
  tracks_ = std::move(tracks);
  pending_.resize(tracks_.size());
}

void SectionBook::segment_written(const WrittenSegment& segment) {
  const std::lock_guard lock{mutex_};
  progress_.segment_written(segment);
  const auto found = std::ranges::find(tracks_, segment.track, &Track::id);
  if (found == tracks_.end()) return;
  Pending& pending = pending_[static_cast<std::size_t>(found - tracks_.begin())];
  pending.sizes.push_back(segment.size);
  pending.durations.push_back(segment.ticks);
  const auto count = static_cast<std::size_t>(plan_.segments_per_section());
  if (std::ranges::all_of(pending_, [&](const Pending& each) { return each.sizes.size() >= count; })) enter(count);
}

void SectionBook::segments_measured(const std::string& track, const PictureMetrics& metrics) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(tracks_, track, &Track::id);
  append(pending_[static_cast<std::size_t>(found - tracks_.begin())].metrics, metrics);
}

void SectionBook::end() {
  const std::lock_guard lock{mutex_};
  if (!pending_[0].sizes.empty()) enter(pending_[0].sizes.size());
}

void SectionBook::enter(std::size_t segments) {
  Presentation section;
  section.nominal_segment_seconds = plan_.seconds(static_cast<std::uint64_t>(plan_.pictures_per_segment()));
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    Track track = tracks_[i];
    track.first_number = next_section_ * plan_.segments_per_section() + 1;
    track.start = next_section_ * plan_.pictures_per_section() * static_cast<std::uint64_t>(plan_.picture_ticks());
    track.sizes = take(pending_[i].sizes, segments);
    track.durations = take(pending_[i].durations, segments);
    track.metrics.psnr = take(pending_[i].metrics.psnr, segments);
    track.metrics.ssim = take(pending_[i].metrics.ssim, segments);
    section.tracks.push_back(std::move(track));
  }
  run_.add_section(publication_, next_section_++, std::move(section));
}

}  // namespace tributary::segmenter
