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
    Lane& lane = lanes_[i];
    lane.is_there = listing.tracks[i].is_there;
    lane.is_played = listing.tracks[i].is_played;
    if (!lane.is_there) continue;
    lane.stretches.insert(listing.tracks[i].stretches.begin(), listing.tracks[i].stretches.end());
    for (const ListedSegment& segment : listing.tracks[i].segments) queue(lane, segment);
    if (begun_ && lane.waiting.size() > kMostAdded)
      throw ManifestError{fmt::format("the manifest ends {} segments behind the last that was known: open it anew",
                                      lane.waiting.size())};
  }
  if (!begun_) begin_together();
  begun_ = true;
  std::vector<GrownSegment> added;
  while (true) {
    for (Lane& lane : lanes_) drop_told(lane);
    if (lead().waiting.empty() || !make_ready(lead().waiting.front(), listing.complete)) return added;
    added.push_back(tell_front());
  }
}

/// A file of another quality, which is longer, has stood for it.
void TitleGrowth::drop_told(Lane& lane) {
  std::deque<ListedSegment>& waiting = lane.waiting;
  while (lane.told_end && !waiting.empty() && end_of(waiting.front()) <= *lane.told_end) waiting.pop_front();
}

/// The first quality that lists a segment as its next one. Where none does, the hole that ends first is told.
TitleGrowth::Lane& TitleGrowth::lead() {
  Lane* best = nullptr;
  for (Lane& lane : lanes_) {
    if (lane.is_sound() || !lane.is_there) continue;
    if (best == nullptr || is_better_lead(lane, *best)) best = &lane;
  }
  return best != nullptr ? *best : lanes_.front();
}

bool TitleGrowth::is_better_lead(const Lane& lane, const Lane& than) {
  if (lane.waiting.empty() || than.waiting.empty()) return than.waiting.empty() && !lane.waiting.empty();
  const ListedSegment &front = lane.waiting.front(), &other = than.waiting.front();
  if (!front.url.empty() || !other.url.empty()) return other.url.empty() && !front.url.empty();
  return lane.time(end_of(front)) < than.time(end_of(other));
}

/// The title begins where all qualities have a segment.
void TitleGrowth::begin_together() {
  Lane& leading = lead();
  std::deque<ListedSegment>& first = leading.waiting;
  for (const Lane& lane : lanes_) {
    if (lane.is_sound() || lane.waiting.empty()) continue;
    const Duration begin = lane.time(lane.waiting.front().start);
    while (!first.empty() && leading.time(first.front().start + first.front().duration / 2) < begin) first.pop_front();
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

/// Whether a segment of the leading quality can be told. Drops what other qualities list before it.
bool TitleGrowth::make_ready(const ListedSegment& first, bool complete) {
  const Lane& leading = lead();
  const Duration start = leading.time(first.start), end = leading.time(end_of(first));
  const Duration half = (end - start) / 2;
  for (Lane& lane : lanes_) {
    if (lane.is_sound()) continue;
    while (!lane.waiting.empty() && lane.time(lane.waiting.front().start) < start - half &&
           lane.time(end_of(lane.waiting.front())) <= start + half)
      lane.waiting.pop_front();
    if (lane.waiting.empty() && lane.is_there && (lane.is_played || !first.continues)) return false;
  }
  return sound_is_there(start, end, complete);
}

bool TitleGrowth::sound_is_there(Duration start, Duration end, bool complete) {
  const Lane& picture = lead();
  const Duration newest = picture.time(end_of(picture.waiting.back()));
  return complete || std::ranges::all_of(lanes_, [&](const Lane& lane) {
           if (!lane.is_sound() || !lane.is_there || !lane.is_played) return true;
           if (lane.listed_end && lane.time(*lane.listed_end) >= end - (end - start) / 10) return true;
           const Duration longest = lane.waiting.empty() ? Duration{} : lane.time(lane.waiting.back().duration);
           return newest - end > std::max(longest, 2 * (end - start)) + 2 * (end - start);
         });
}

GrownSegment TitleGrowth::tell_front() {
  const Lane& first = lead();
  const ListedSegment front = first.waiting.front();
  GrownSegment grown{.start = first.time(first.told_end.value_or(front.start)),
                     .duration = {},
                     .lost = front.url.empty(),
                     .tracks = {}};
  const Times times{first.time(front.start), first.time(end_of(front))};
  grown.duration = times.end - grown.start;
  const Fronts listed = fronts(times);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].is_sound()) {
      tell_sound(i, times, grown);
    } else if (listed[i]) {
      tell(i, grown);
    } else if (const auto other = nearest_to(i, listed)) {
      stand_in(i, *other, *listed[*other], grown);
    } else {
      grown.lost = true;
      tell_lost(i, times, grown);
    }
  }
  return grown;
}

/// All that is listed; of a sound that is not there, silence.
void TitleGrowth::tell_sound(std::size_t index, const Times& picture, GrownSegment& into) {
  Lane& lane = lanes_[index];
  // Sound that has ended when the title begins is of no use.
  while (!lane.told_end && !lane.waiting.empty() &&
         lane.time(end_of(lane.waiting.front())) <= picture.start + picture.half() / 5)
    lane.waiting.pop_front();
  while (!lane.waiting.empty()) tell(index, into);
  const Duration begin = lane.told_end ? lane.time(*lane.told_end) : picture.start;
  if (!lane.is_there && begin < picture.end - picture.half() / 5) tell_lost(index, picture, into);
}

TitleGrowth::Fronts TitleGrowth::fronts(const Times& picture) const {
  Fronts fronts(lanes_.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    const Lane& lane = lanes_[i];
    if (lane.is_sound() || lane.waiting.empty()) continue;
    const ListedSegment& front = lane.waiting.front();
    if (!front.url.empty() && lane.time(front.start) <= picture.start + picture.half()) fronts[i] = front;
  }
  return fronts;
}

/// The quality that lists the segment and is next below this one; else the next above.
std::optional<std::size_t> TitleGrowth::nearest_to(std::size_t lane, const Fronts& fronts) const {
  const auto rate = [&](std::size_t i) { return lanes_[i].track.bitrate.average; };
  const auto is_nearer = [&](std::size_t i, std::size_t than) {
    const bool below = rate(i) <= rate(lane), other_below = rate(than) <= rate(lane);
    return below != other_below ? below : below == (rate(i) > rate(than));
  };
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    if (!fronts[i] || lanes_[i].track.timescale != lanes_[lane].track.timescale) continue;
    if (!nearest || is_nearer(i, *nearest)) nearest = i;
  }
  return nearest;
}

/// The file of the other quality is told in the place of a segment that this one lacks.
void TitleGrowth::stand_in(std::size_t index, std::size_t other, const ListedSegment& segment, GrownSegment& into) {
  Lane& lane = lanes_[index];
  if (!lane.told_end) lane.begin = segment.start;
  const std::int64_t ticks = end_of(segment) - lane.told_end.value_or(segment.start);
  TrackSegment told = track_segment(lanes_[other].track, segment,
                                    static_cast<std::uint64_t>(std::max<std::int64_t>(ticks, 1)), lane.track.id);
  told.track = static_cast<std::uint32_t>(index);
  tell_stretch(index, other, segment.stretch, told);
  into.tracks.push_back(std::move(told));
  lane.told_end = end_of(segment);
  pass_over(lane, segment.duration / 2);
}

void TitleGrowth::tell_lost(std::size_t index, const Times& picture, GrownSegment& into) {
  Lane& lane = lanes_[index];
  const auto ticks = [&](Duration time) { return std::llround(to_seconds(time) * lane.track.timescale); };
  const std::int64_t start = lane.told_end.value_or(ticks(picture.start));
  lane.waiting.push_front({.url = {}, .range = {}, .start = start, .duration = ticks(picture.end) - start});
  tell(index, into);
  pass_over(lane, ticks(picture.half()));
}

/// Drops the part of a hole that has been told; all of it, if no more than `least` is left.
void TitleGrowth::pass_over(Lane& lane, std::int64_t least) {
  const std::int64_t until = *lane.told_end;
  std::deque<ListedSegment>& waiting = lane.waiting;
  while (!waiting.empty() && waiting.front().url.empty() && waiting.front().start < until) {
    ListedSegment& hole = waiting.front();
    hole.duration = end_of(hole) - until;
    hole.start = until;
    if (hole.duration > least) break;
    waiting.pop_front();
  }
  lane.listed_end = std::max(lane.listed_end.value_or(until), until);
}

void TitleGrowth::tell_stretch(std::size_t index, std::size_t from, std::uint32_t stretch, TrackSegment& told) {
  Lane& lane = lanes_[index];
  if (lane.told_from == std::pair{from, stretch}) return;
  lane.told_from = {from, stretch};
  std::map<std::uint32_t, StretchStart>& stretches = lanes_[from].stretches;
  if (from == index) stretches.erase(stretches.begin(), stretches.lower_bound(stretch));
  told.stretch = stretches[stretch];
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
  } else {
    tell_stretch(index, index, segment.stretch, told);
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
