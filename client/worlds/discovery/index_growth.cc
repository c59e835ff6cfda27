#include "worlds/discovery/index_growth.hh"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tributary {
namespace {

constexpr std::uint64_t kMostAdded = 100'000;  // since the index before: about two days; each one needs memory

std::uint64_t end_of(const Track& track, std::size_t segments) {
  const auto end = track.durations.begin() + static_cast<std::ptrdiff_t>(segments);
  return std::accumulate(track.durations.begin(), end, track.start);
}

DataSize size_of(const SegmentParts& parts) {
  DataSize size;
  for (const LivePart& part : parts.parts) size += part.size;
  return size;
}

}  // namespace

IndexGrowth::IndexGrowth(const Presentation& first) : by_parts_{first.in_parts}, ended_{first.complete} {
  for (const Track& track : first.tracks)
    tracks_.push_back({track.id, track.timescale, end_of(track, track.durations.size()), {}});
  const Track& leading = first.tracks.at(0);
  const std::size_t count = leading.sizes.size();
  if (!by_parts_ || leading.parts->segments.empty()) {
    numbers_.resize(count);
    std::iota(numbers_.begin(), numbers_.end(), leading.first_number);
    number_ = leading.first_number + count;
    return;
  }
  // From the end on: parts, and whole segments before them.
  for (auto of = leading.parts->segments.rbegin(); of != leading.parts->segments.rend(); ++of)
    numbers_.insert(numbers_.end(), of->parts.size(), of->segment);
  numbers_.resize(std::min(numbers_.size(), count));
  while (numbers_.size() < count) numbers_.push_back(numbers_.back() - 1);
  std::ranges::reverse(numbers_);
  // The last one may be whole: then none of its parts is added.
  number_ = leading.parts->segments.back().segment;
  told_parts_ = leading.parts->segments.back().parts.size();
  for (std::size_t t = 0; t < tracks_.size(); ++t) tracks_[t].open = size_of(first.tracks[t].parts->segments.back());
}

std::vector<Event> IndexGrowth::beginning() const {
  std::vector<Event> events;
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    events.push_back(event::SegmentPublished{static_cast<SegmentIndex>(i)});
  return events;
}

void IndexGrowth::check_tracks(const Presentation& index) const {
  if (!std::ranges::equal(index.tracks, tracks_, {}, &Track::id, &Known::id) ||
      !std::ranges::equal(index.tracks, tracks_, {}, &Track::timescale, &Known::timescale))
    throw std::runtime_error("the index lists other tracks than before");
}

std::vector<Event> IndexGrowth::news(const Presentation& index) {
  check_tracks(index);
  std::vector<Event> events;
  const std::uint64_t first = index.tracks[0].first_number;
  const std::size_t listed = index.tracks[0].sizes.size();
  if (first + listed < number_) return events;
  const std::uint64_t added = first + listed - number_;
  if (added > kMostAdded) {
    throw std::runtime_error(
        fmt::format("the index ends {} segments behind the last that was known: open it anew", added));
  }
  if (first > number_) add_lost(index, events);
  std::vector<std::uint64_t> ends;
  for (const Track& track : index.tracks) ends.push_back(end_of(track, number_ - first));
  for (std::size_t i = number_ - first; i < listed; ++i) {
    for (std::size_t t = 0; t < ends.size(); ++t) ends[t] += index.tracks[t].durations[i];
    add_listed(index, i, ends, events);
  }
  if (by_parts_) add_parts(index, number_, events);

  const auto begin = static_cast<std::size_t>(std::ranges::lower_bound(numbers_, first) - numbers_.begin());
  if (begin > window_begin_) {
    window_begin_ = begin;
    events.push_back(event::WindowMoved{static_cast<SegmentIndex>(begin)});
  }
  if (index.complete && !ended_) {
    ended_ = true;
    events.push_back(event::PresentationEnded{});
  }
  return events;
}

/// One for each segment that has left the index, which divide the time that is missing.
void IndexGrowth::add_lost(const Presentation& index, std::vector<Event>& events) {
  const std::uint64_t first = index.tracks[0].first_number, unseen = first - number_;
  std::vector<ListedPiece> pieces;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const std::uint64_t hole = index.tracks[t].start - std::min(index.tracks[t].start, tracks_[t].end);
    pieces.push_back({.ticks = std::max<std::uint64_t>(1, hole / unseen), .size = {}, .place = {}});
  }
  for (std::uint64_t i = 0; i < unseen; ++i) {
    add(number_, pieces, events);
    end_segment();
  }
}

/// `ends`: where it ends in each track.
void IndexGrowth::add_listed(const Presentation& index, std::size_t segment, const std::vector<std::uint64_t>& ends,
                             std::vector<Event>& events) {
  if (by_parts_) add_parts(index, number_, events);
  const bool is_rest = told_parts_ > 0;
  std::vector<ListedPiece> pieces;
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = index.tracks[t];
    ListedPiece& piece = pieces.emplace_back();
    piece.ticks = is_rest ? ends[t] - std::min(ends[t], tracks_[t].end) : track.durations[segment];
    piece.size = std::max(track.sizes[segment] - tracks_[t].open, DataSize{});
    if (!by_parts_) continue;
    piece.place.uri = track.segment_uri(number_);
    if (is_rest) piece.place.begin = tracks_[t].open;
    piece.continues = is_rest && track.kind == TrackKind::kVideo;
  }
  const bool nothing_is_left = is_rest && pieces.front().ticks == 0;
  if (!nothing_is_left) add(number_, pieces, events);
  for (std::size_t t = 0; t < tracks_.size(); ++t) tracks_[t].end = ends[t];
  end_segment();
}

/// Those of the segment that are not known yet.
void IndexGrowth::add_parts(const Presentation& index, std::uint64_t number, std::vector<Event>& events) {
  const SegmentParts* const leading = parts_of(index.tracks[0], number);
  if (leading == nullptr) return;
  for (; told_parts_ < leading->parts.size(); ++told_parts_) {
    std::vector<ListedPiece> pieces;
    for (const Track& track : index.tracks) {
      const SegmentParts* const parts = parts_of(track, number);
      if (parts == nullptr || parts->parts.size() <= told_parts_) return;
      pieces.push_back(listed_part(track, *parts, told_parts_));
    }
    add(number, pieces, events);
  }
}

void IndexGrowth::add(std::uint64_t number, const std::vector<ListedPiece>& pieces, std::vector<Event>& events) {
  const auto segment = static_cast<SegmentIndex>(numbers_.size());
  numbers_.push_back(number);
  std::vector<TrackSegment> tracks;
  const bool lost = std::ranges::any_of(pieces, [](const ListedPiece& piece) { return piece.size <= DataSize{}; });
  for (std::size_t t = 0; t < tracks_.size(); ++t) {
    ListedPiece piece = pieces[t];
    if (lost) piece = {.ticks = std::max<std::uint64_t>(piece.ticks, 1), .size = {}, .place = {}};
    tracks.push_back({.size = piece.size, .ticks = piece.ticks, .place = piece.place, .continues = piece.continues});
    tracks_[t].end += piece.ticks;
    tracks_[t].open += piece.size;
  }
  events.push_back(event::SegmentAdded{segment, std::move(tracks)});
  events.push_back(event::SegmentPublished{segment});
}

void IndexGrowth::end_segment() {
  ++number_;
  told_parts_ = 0;
  for (Known& track : tracks_) track.open = {};
}

Duration IndexGrowth::end() const { return from_seconds(static_cast<double>(tracks_[0].end) / tracks_[0].timescale); }

}  // namespace tributary
