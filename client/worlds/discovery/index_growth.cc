#include "worlds/discovery/index_growth.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>
#include <stdexcept>

namespace tributary {
namespace {

constexpr std::uint64_t kMostAdded = 100'000;  // since the index before: about two days; each one needs memory

std::uint64_t end_of(const Track& track, std::size_t segments) {
  const auto end = track.durations.begin() + static_cast<std::ptrdiff_t>(segments);
  return std::accumulate(track.durations.begin(), end, track.start);
}

}  // namespace

IndexGrowth::IndexGrowth(const Presentation& first)
    : first_number_{first.tracks.at(0).first_number},
      count_{first.tracks[0].sizes.size()},
      window_begin_{first_number_},
      ended_{first.complete} {
  for (const Track& track : first.tracks) {
    ids_.push_back(track.id);
    ends_.push_back(end_of(track, track.durations.size()));
    timescales_.push_back(track.timescale);
  }
}

std::vector<Event> IndexGrowth::beginning() const {
  std::vector<Event> events;
  for (std::size_t i = 0; i < count_; ++i) events.push_back(event::SegmentPublished{static_cast<SegmentIndex>(i)});
  return events;
}

std::vector<Event> IndexGrowth::news(const Presentation& index) {
  if (!std::ranges::equal(index.tracks, ids_, {}, &Track::id) ||
      !std::ranges::equal(index.tracks, timescales_, {}, &Track::timescale)) {
    throw std::runtime_error("the index lists other tracks than before");
  }
  std::vector<Event> events;
  const std::uint64_t first = index.tracks[0].first_number;
  const std::size_t listed = index.tracks[0].sizes.size();
  if (first + listed < next_number()) return events;
  const std::uint64_t added = first + listed - next_number();
  if (added > kMostAdded) {
    throw std::runtime_error(
        fmt::format("the index ends {} segments behind the last that was known: open it anew", added));
  }

  const auto add = [&](std::vector<TrackSegment> tracks) {
    const auto segment = static_cast<SegmentIndex>(count_++);
    events.push_back(event::SegmentAdded{segment, std::move(tracks)});
    events.push_back(event::SegmentPublished{segment});
  };
  const std::uint64_t unseen = first - std::min(first, next_number());
  for (std::uint64_t i = 0; i < unseen; ++i) {
    std::vector<TrackSegment> tracks;
    for (std::size_t t = 0; t < ids_.size(); ++t) {
      const std::uint64_t hole = index.tracks[t].start - std::min(index.tracks[t].start, ends_[t]);
      tracks.push_back({DataSize{}, std::max<std::uint64_t>(1, hole / unseen)});
    }
    add(std::move(tracks));
  }
  for (std::size_t i = next_number() - first; i < listed; ++i) {
    std::vector<TrackSegment> tracks;
    for (const Track& track : index.tracks) tracks.push_back({track.sizes[i], track.durations[i]});
    add(std::move(tracks));
  }
  for (std::size_t t = 0; t < ids_.size(); ++t) ends_[t] = end_of(index.tracks[t], listed);

  if (first > window_begin_) {
    window_begin_ = first;
    events.push_back(event::WindowMoved{static_cast<SegmentIndex>(first - first_number_)});
  }
  if (index.complete && !ended_) {
    ended_ = true;
    events.push_back(event::PresentationEnded{});
  }
  return events;
}

Duration IndexGrowth::end() const { return from_seconds(static_cast<double>(ends_[0]) / timescales_[0]); }

}  // namespace tributary
