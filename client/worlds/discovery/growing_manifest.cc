#include "worlds/discovery/growing_manifest.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr Duration kShortestWait = Milliseconds{20};

}  // namespace

GrowingManifest::GrowingManifest(LiveTitle& title, const Presentation& first, std::string url, Duration start)
    : title_{title}, url_{std::move(url)}, start_{start}, offset_{title.origin_clock()} {
  const auto picture = std::ranges::find_if(first.tracks, [](const Track& t) { return t.kind == TrackKind::kVideo; });
  std::uint64_t tick = picture->start;
  for (const std::uint64_t ticks : picture->durations) {
    middles_.push_back(from_seconds((static_cast<double>(tick) + static_cast<double>(ticks) / 2) / picture->timescale));
    tick += ticks;
  }
}

std::vector<Event> GrowingManifest::beginning() {
  std::vector<Event> events;
  for (std::size_t i = 0; i < middles_.size(); ++i)
    events.push_back(event::SegmentPublished{static_cast<SegmentIndex>(i)});
  return events;
}

std::optional<TimePoint> GrowingManifest::next_due() const {
  const auto due = title_.manifest().next_due();
  return due ? std::optional{by_session(*due)} : std::nullopt;
}

std::vector<std::string> GrowingManifest::due(TimePoint now) {
  std::vector<std::string> urls;
  for (WantedFile& file : title_.manifest().due(at_origin(now))) urls.push_back(std::move(file.url));
  return urls;
}

std::vector<Event> GrowingManifest::take(std::span<const FetchedFile> documents, TimePoint sent, TimePoint now) {
  for (const FetchedFile& document : documents) {
    if (document.date && !title_.clock_is_known())
      offset_.add(document.date->time_since_epoch(), sent.time_since_epoch() + start_, now.time_since_epoch() + start_);
  }
  try {
    title_.manifest().take(documents, at_origin(sent), at_origin(now));
  } catch (const UnreadableForNow& error) {
    if (!ended_) next_by_clock_ = now;  // what could be read counts
    throw DocumentUnclear{fmt::format("{}: {}", redacted(url_), error.what())};
  } catch (const std::runtime_error& error) {
    throw std::runtime_error{fmt::format("{}: {}", redacted(url_), error.what())};
  }
  return news(now);
}

std::vector<Event> GrowingManifest::news(TimePoint now) {
  std::vector<Event> events;
  LiveTitle::News news;
  try {
    news = title_.news(at_origin(now));
  } catch (const std::runtime_error& error) {
    throw std::runtime_error{fmt::format("{}: {}", redacted(url_), error.what())};
  }
  for (GrownSegment& segment : news.added) add(std::move(segment), events);
  move_window(news.window_begin, events);
  if (news.complete && !ended_) {
    ended_ = true;
    events.push_back(event::PresentationEnded{});
  }
  next_by_clock_.reset();
  if (news.next && !ended_) next_by_clock_ = std::max(by_session(*news.next), now + kShortestWait);
  return events;
}

/// A lost segment leaves the window before it can be started.
void GrowingManifest::add(GrownSegment segment, std::vector<Event>& events) {
  const auto index = static_cast<SegmentIndex>(middles_.size());
  middles_.push_back(segment.start + segment.duration / 2);
  events.push_back(event::SegmentAdded{index, std::move(segment.tracks)});
  if (segment.lost) {
    window_begin_ = middles_.size();
    events.push_back(event::WindowMoved{static_cast<SegmentIndex>(window_begin_)});
  }
  events.push_back(event::SegmentPublished{index});
}

void GrowingManifest::move_window(Duration begin, std::vector<Event>& events) {
  const auto first = static_cast<std::size_t>(std::ranges::upper_bound(middles_, begin) - middles_.begin());
  if (first <= window_begin_) return;
  window_begin_ = first;
  events.push_back(event::WindowMoved{static_cast<SegmentIndex>(first)});
}

UtcTime GrowingManifest::at_origin(TimePoint at) const {
  return UtcTime{std::chrono::floor<Milliseconds>(at.time_since_epoch() + start_ + offset_.least())};
}

TimePoint GrowingManifest::by_session(UtcTime at_origin) const {
  return TimePoint{at_origin.time_since_epoch() + Milliseconds{1} - start_ - offset_.least()};
}

}  // namespace tributary
