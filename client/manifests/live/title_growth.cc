#include "manifests/live/title_growth.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "manifests/manifest.hh"

namespace tributary {
namespace {

constexpr std::size_t kMostAdded = 100'000;  // since the listing before: about two days; each one needs memory
constexpr Duration kKeptForLaggards = std::chrono::seconds{60};

std::int64_t end_of(const ListedSegment& segment) { return segment.start + segment.duration; }

}  // namespace

TitleGrowth::TitleGrowth(const Listing& listing) {
  for (const ListedTrack& listed : listing.tracks) {
    Lane& lane = lanes_.emplace_back();
    lane.track = listed.track;
  }
}

std::vector<GrownSegment> TitleGrowth::take(const Listing& listing) {
  if (!std::ranges::equal(
          listing.tracks, lanes_, {}, [](const ListedTrack& l) { return l.track.id; },
          [](const Lane& lane) { return lane.track.id; }) ||
      !std::ranges::equal(
          listing.tracks, lanes_, {}, [](const ListedTrack& l) { return l.track.timescale; },
          [](const Lane& lane) { return lane.track.timescale; }))
    throw ManifestError{"the manifest lists other tracks than before"};
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    lanes_[i].stretches.insert(listing.tracks[i].stretches.begin(), listing.tracks[i].stretches.end());
    for (const ListedSegment& segment : listing.tracks[i].segments) queue(lanes_[i], segment);
    if (begun_ && lanes_[i].waiting.size() > kMostAdded)
      throw ManifestError{fmt::format("the manifest ends {} segments behind the last that was known: open it anew",
                                      lanes_[i].waiting.size())};
  }
  if (!begun_) begin_together();
  begun_ = true;
  std::vector<GrownSegment> added;
  while (!lanes_.front().waiting.empty() && make_ready(lanes_.front().waiting.front(), listing.complete))
    added.push_back(tell_front());
  return added;
}

/// The title begins where all qualities have a segment.
void TitleGrowth::begin_together() {
  std::deque<ListedSegment>& first = lanes_.front().waiting;
  for (const Lane& lane : lanes_) {
    if (lane.is_sound() || lane.waiting.empty()) continue;
    const Duration begin = lane.time(lane.waiting.front().start);
    while (!first.empty() && lanes_.front().time(first.front().start + first.front().duration / 2) < begin)
      first.pop_front();
  }
}

/// What is listed of the stretch before, and has not been told, ends where the next one begins.
void TitleGrowth::end_stretch(Lane& lane, const ListedSegment& next) {
  std::deque<ListedSegment>& waiting = lane.waiting;
  while (!waiting.empty() && waiting.back().start + waiting.back().duration / 10 >= next.start) waiting.pop_back();
  if (waiting.empty()) {
    lane.listed_end = lane.told_end;
  } else {
    waiting.back().duration = std::min(waiting.back().duration, next.start - waiting.back().start);
    lane.listed_end = end_of(waiting.back());
  }
}

/// Known ones are passed over. A hole belongs to the segment before it, as long as that one has not been told.
void TitleGrowth::queue(Lane& lane, const ListedSegment& segment) const {
  if (segment.stretch < lane.listed_stretch) return;
  if (segment.stretch > lane.listed_stretch) end_stretch(lane, segment);
  lane.listed_stretch = segment.stretch;
  const std::int64_t known = lane.listed_end.value_or(segment.start);
  if (segment.start + segment.duration / 2 < known || end_of(segment) <= known - 1) return;
  const std::int64_t hole = segment.start - known;
  if (hole > segment.duration / 2 && begun_) {
    lane.waiting.push_back({.url = {}, .range = {}, .start = known, .duration = hole});
  } else if (hole > 0 && !lane.waiting.empty()) {
    lane.waiting.back().duration += hole;
  }
  lane.waiting.push_back(segment);
  lane.listed_end = end_of(segment);
}

/// Whether a segment of the first track can be told. Drops what other qualities list before it.
bool TitleGrowth::make_ready(const ListedSegment& first, bool complete) {
  const Duration start = lanes_.front().time(first.start), end = lanes_.front().time(end_of(first));
  const Duration half = (end - start) / 2;
  for (Lane& lane : lanes_) {
    if (lane.is_sound()) continue;
    while (!lane.waiting.empty() && lane.time(lane.waiting.front().start) < start - half &&
           lane.time(end_of(lane.waiting.front())) <= start + half)
      lane.waiting.pop_front();
    if (lane.waiting.empty()) return false;
  }
  return sound_is_there(start, end, complete);
}

bool TitleGrowth::sound_is_there(Duration start, Duration end, bool complete) const {
  const Lane& picture = lanes_.front();
  const Duration newest = picture.time(end_of(picture.waiting.back()));
  return complete || std::ranges::all_of(lanes_, [&](const Lane& lane) {
           if (!lane.is_sound()) return true;
           if (lane.listed_end && lane.time(*lane.listed_end) >= end - (end - start) / 10) return true;
           const Duration longest = lane.waiting.empty() ? Duration{} : lane.time(lane.waiting.back().duration);
           return newest - end > std::max(longest, 2 * (end - start)) + 2 * (end - start);
         });
}

GrownSegment TitleGrowth::tell_front() {
  const Lane& first = lanes_.front();
  const ListedSegment front = first.waiting.front();
  GrownSegment grown{.start = first.time(first.told_end.value_or(front.start)),
                     .duration = {},
                     .lost = front.url.empty(),
                     .tracks = {}};
  const Duration start = first.time(front.start), end = first.time(end_of(front)), half = (end - start) / 2;
  grown.duration = end - grown.start;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    if (lane.is_sound()) {
      // Sound that has ended when the title begins is of no use.
      while (!lane.told_end && !lane.waiting.empty() && lane.time(end_of(lane.waiting.front())) <= start + half / 5)
        lane.waiting.pop_front();
      while (!lane.waiting.empty()) tell(i, grown);
    } else if (i > 0 && lane.time(lane.waiting.front().start) > start + half) {
      // This quality lacks the segment.
      lane.waiting.push_front({.url = {}, .range = {}, .start = lane.told_end.value_or(0), .duration = 0});
      lane.waiting.front().duration = std::llround(to_seconds(end) * lane.track.timescale) - lane.waiting.front().start;
      grown.lost = true;
      tell(i, grown);
    } else {
      grown.lost = grown.lost || lane.waiting.front().url.empty();
      tell(i, grown);
    }
  }
  return grown;
}

void TitleGrowth::tell(std::size_t index, GrownSegment& into) {
  Lane& lane = lanes_[index];
  const ListedSegment& segment = lane.waiting.front();
  if (!lane.told_end) lane.begin = segment.start;
  const std::int64_t ticks = end_of(segment) - lane.told_end.value_or(segment.start);
  TrackSegment told =
      track_segment(lane.track, segment, static_cast<std::uint64_t>(std::max<std::int64_t>(ticks, 1)), lane.track.id);
  told.track = static_cast<std::uint32_t>(index);
  if (segment.url.empty()) {
    told.size = DataSize{};
    told.estimated = false;
  } else if (lane.told_stretch != segment.stretch) {
    lane.told_stretch = segment.stretch;
    lane.stretches.erase(lane.stretches.begin(), lane.stretches.lower_bound(segment.stretch));
    told.stretch = lane.stretches[segment.stretch];
  }
  into.tracks.push_back(std::move(told));
  lane.told_end = end_of(segment);
  lane.waiting.pop_front();
}

Duration TitleGrowth::needed_after() const {
  const auto end = [](const Lane& lane) { return lane.time(lane.listed_end.value_or(0)); };
  Duration after = end(lanes_.front());
  for (const Lane& lane : lanes_) after = std::min(after, std::max(end(lane), end(lanes_.front()) - kKeptForLaggards));
  return after;
}

std::optional<std::string> why_not_switchable(const ListedTrack& track, const ListedTrack& other) {
  const auto time = [](const ListedTrack& of, std::int64_t ticks) {
    return static_cast<double>(ticks) / of.track.timescale;
  };
  if (track.segments.empty()) return "there is no segment";
  if (other.segments.empty()) return std::nullopt;
  const double begin = time(other, other.segments.front().start), end = time(other, end_of(other.segments.back()));
  const auto begins_stretch = [](const ListedTrack& of, auto segment) {
    return segment != of.segments.begin() && segment->stretch != std::prev(segment)->stretch;
  };
  bool overlap = false;
  for (auto at = track.segments.begin(); at != track.segments.end(); ++at) {
    const ListedSegment& segment = *at;
    const double start = time(track, segment.start), half = time(track, segment.duration) / 2;
    if (start + half < begin || start + half > end) continue;
    overlap = true;
    auto nearest = std::ranges::lower_bound(other.segments, start, {}, [&](const ListedSegment& candidate) {
      return time(other, candidate.start) + time(other, candidate.duration) / 2;
    });
    if (nearest == other.segments.end()) --nearest;
    const double apart = std::abs(time(other, nearest->start) - start);
    if (apart > half / 2) return fmt::format("begins a segment {:.3f} s apart from {}", apart, other.track.id);
    if (std::abs(time(other, nearest->duration) - 2 * half) >= half)
      return fmt::format("has segments of other lengths than {}", other.track.id);
    if (at != track.segments.begin() && nearest != other.segments.begin() &&
        begins_stretch(track, at) != begins_stretch(other, nearest))
      return fmt::format("goes on otherwise (a discontinuity) at other segments than {}", other.track.id);
  }
  if (!overlap) return fmt::format("lists other times than {}", other.track.id);
  return std::nullopt;
}

}  // namespace tributary
