#include "manifests/live/live_title.hh"

#include <algorithm>
#include <chrono>
#include <utility>

#include "manifests/manifest.hh"

namespace tributary {
namespace {

constexpr Duration kAllThereIs = -std::chrono::hours{24};
constexpr Duration kKeptForLateFiles = std::chrono::seconds{60};  // texts may be listed later than the picture
constexpr Duration kKeptBehindWindow = std::chrono::minutes{10};  // of files beside: a player may be behind the window

bool continues(const GrownSegment& segment) { return std::ranges::any_of(segment.tracks, &TrackSegment::continues); }

}  // namespace

LiveTitle::LiveTitle(std::unique_ptr<LiveManifest> manifest, ClockOffset origin, bool clock_is_known)
    : manifest_{std::move(manifest)}, origin_{origin}, clock_is_known_{clock_is_known} {}

Presentation LiveTitle::begin(UtcTime now) {
  const Listing listing = manifest_->list(now, kAllThereIs);
  growth_.emplace(listing);
  const std::vector<GrownSegment> segments = growth_->take(listing);
  const auto last_lost = std::ranges::find(segments.rbegin(), segments.rend(), true, &GrownSegment::lost);
  auto first = static_cast<std::size_t>(segments.rend() - last_lost);
  while (first < segments.size() && continues(segments[first])) ++first;
  if (first == segments.size()) throw NothingPublishedYet{"no segment is there yet"};
  Presentation title;
  title.complete = false;
  title.own_grids = true;
  for (std::size_t i = 0; i < listing.tracks.size(); ++i) {
    title.tracks.push_back(listing.tracks[i].track);
    title.tracks[i].start = static_cast<std::uint64_t>(std::max<std::int64_t>(growth_->start_of(i), 0));
  }
  for (std::size_t i = 0; i < segments.size(); ++i) {
    for (const TrackSegment& told : segments[i].tracks) {
      Track& track = title.tracks[*told.track];
      if (told.stretch) track.begin_stretch(*told.stretch);
      if (i < first) {
        track.start += told.ticks;
        continue;
      }
      track.durations.push_back(told.ticks);
      track.sizes.push_back(told.size);
      track.estimated.push_back(told.estimated);
      track.continues.push_back(told.continues);
      track.pieces.push_back(told.piece.value_or(FilePiece{}));
      track.places.push_back(told.place);
    }
  }
  for (Track& track : title.tracks) {
    if (std::ranges::find(track.continues, true) == track.continues.end()) track.continues.clear();
    if (std::ranges::all_of(track.pieces, [](const FilePiece& piece) { return piece.count == 1; }))
      track.pieces.clear();
  }
  title.nominal_segment_seconds = std::max(to_seconds(segments.back().duration), 0.001);
  std::size_t files = listing.thumbnails.files.size();
  for (const Track& listed : listing.texts) {
    files += listed.text.files.size();
    Track& text = title.tracks.emplace_back(listed);
    text.text = {};
    text.text.grows = texts_.emplace_back(std::make_shared<SideList>());
  }
  if (!listing.thumbnails.stretches.empty()) title.thumbnails.grows = thumbnails_ = std::make_shared<SideList>();
  check_segments(count_segments(title.tracks) + files);
  take_side_files(listing);
  return title;
}

void LiveTitle::take_side_files(const Listing& listing) {
  const auto take = [&](SideList& list, const SideFiles& listed) {
    list.add(listed);
    list.drop_before(listing.window_begin - kKeptBehindWindow);
  };
  for (std::size_t i = 0; i < texts_.size(); ++i) take(*texts_[i], listing.texts.at(i).text);
  if (thumbnails_) take(*thumbnails_, listing.thumbnails);
}

Duration LiveTitle::needed_after() const {
  const Duration of_media = growth_->needed_after();
  Duration after = of_media;
  for (const auto& text : texts_)
    after = std::min(after, std::max(text->end().value_or(kAllThereIs), of_media - kKeptForLateFiles));
  if (thumbnails_) {
    const Duration end = thumbnails_->end().value_or(kAllThereIs);
    after = std::min(after, std::max(end, of_media - kKeptBehindWindow));  // a sheet may stand for minutes
  }
  return after;
}

LiveTitle::News LiveTitle::news(UtcTime now) {
  const Listing listing = manifest_->list(now, needed_after());
  take_side_files(listing);
  return {growth_->take(listing), listing.window_begin, listing.complete, listing.next};
}

}  // namespace tributary
