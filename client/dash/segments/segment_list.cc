#include "dash/segments/segment_list.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "dash/bounds.hh"
#include "dash/segments/segment_grid.hh"
#include "dash/tick_time.hh"
#include "units/overloaded.hh"

namespace tributary::dash {
namespace {

[[noreturn]] void refuse(const Representation& representation, std::string_view why) {
  throw MpdError{fmt::format("{}: {}", representation.place, why)};
}

constexpr std::uint32_t kMilliseconds = 1'000;  // the timescale of files that state none

/// The times by which segments are laid out, and how many there are if a list has them.
struct Layout {
  SegmentTimes times;
  std::optional<std::int64_t> most;
};

Layout layout_of(const Representation& representation) {
  return std::visit(Overloaded{[](const TemplateAddressing& addressing) {
                                 return Layout{addressing.times, {}};
                               },
                               [](const ListAddressing& addressing) {
                                 return Layout{addressing.times, std::ssize(*addressing.media)};
                               },
                               [](const WholeFile&) {
                                 Layout layout{{}, 1};
                                 layout.times.timescale = kMilliseconds;
                                 return layout;
                               },
                               [&](const IndexedAddressing&) -> Layout {
                                 refuse(representation, "its index lists the segments, and was not read");
                               }},
                    representation.addressing);
}

std::string expanded(const UriTemplate& text, const Representation& representation, const GridSegment& at,
                     std::int64_t number, std::int64_t part) {
  try {
    return text.expand({representation.id, representation.bandwidth, number, at.start, part});
  } catch (const std::invalid_argument& error) {
    refuse(representation, fmt::format("the name of a segment {}", error.what()));
  }
}

FilePart file_of(const Representation& representation, const GridSegment& at, std::int64_t number, std::int64_t part) {
  return std::visit(Overloaded{[&](const TemplateAddressing& addressing) {
                                 return FilePart{expanded(*addressing.media, representation, at, number, part), {}};
                               },
                               [&](const ListAddressing& addressing) {
                                 return addressing.media->at(static_cast<std::size_t>(at.index));
                               },
                               [](const auto&) { return FilePart{}; }},
                    representation.addressing);
}

std::optional<FilePart> init_of(const Representation& representation) {
  return std::visit(
      Overloaded{[&](const TemplateAddressing& addressing) {
                   if (!addressing.init) return addressing.init_part;
                   return std::optional{FilePart{expanded(*addressing.init, representation, {}, 0, 0), {}}};
                 },
                 [](const auto& addressing) { return addressing.init; }},
      representation.addressing);
}

/// By how much finer than those of the template ticks must be for the borders of parts. Does not depend on how many there
/// are, since that may change with each MPD.
std::int64_t refinement_for_parts(const SegmentTimes& times) {
  constexpr std::int64_t kEnough = 1'000;
  return times.timescale < kEnough ? kEnough : 1;
}

/// Ticks from the beginning of a segment. All of its parts are equally long.
std::int64_t begin_of_part(std::int64_t duration, std::int64_t part, std::int64_t parts) {
  return duration / parts * part + duration % parts * part / parts;
}

/// `pieces_from`: in ticks on the timeline of the media; segments that end later are listed in pieces, if they have some.
Segments named(const Representation& representation, const SegmentTimes& times, const GridSegments& found,
               std::optional<std::int64_t> pieces_from = {}) {
  const bool in_parts = names_parts(representation), in_pieces = pieces_from && representation.pieces > 1;
  const std::int64_t finer = in_parts || in_pieces ? refinement_for_parts(times) : 1, most = kMostTicks / finer;
  if (times.presentation_time_offset > most) refuse(representation, "its times are beyond all bounds");
  Segments segments{.timescale = static_cast<std::uint32_t>(times.timescale * finer),
                    .presentation_time_offset = times.presentation_time_offset * finer,
                    .init = init_of(representation),
                    .list = {}};
  segments.list.reserve(found.list.size());
  std::size_t bytes = 0;
  for (const GridSegment& at : found.list) {
    const std::int64_t number = times.start_number + at.index;
    const bool shares_file = !in_parts && in_pieces && at.start + at.duration > *pieces_from;
    const std::int64_t parts = in_parts ? at.parts : shares_file ? representation.pieces : 1;
    const std::int64_t stated = times.duration.value_or(at.duration);  // the last one may end with the period
    if (std::max(std::abs(at.start), stated) > most) refuse(representation, "its times are beyond all bounds");
    const std::int64_t start = at.start * finer, length = at.duration * finer, whole = stated * finer;
    if (whole < parts) refuse(representation, "the parts of its segments are shorter than a tick");
    for (std::int64_t part = 0; part < parts && begin_of_part(whole, part, parts) < length; ++part) {
      FilePart file = file_of(representation, at, number, part);
      bytes += file.uri.size();
      if (bytes > kMostUriBytes) refuse(representation, "the names of its segments take too much memory");
      const std::int64_t begin = begin_of_part(whole, part, parts);
      const std::int64_t end = std::min(begin_of_part(whole, part + 1, parts), length);
      segments.list.push_back(
          {std::move(file.uri), file.range, start + begin, end - begin, number, part, parts, shares_file});
    }
    if (std::ssize(segments.list) > kMostSegments)
      refuse(representation, fmt::format("it has more than {} segments", kMostSegments));
  }
  return segments;
}

/// The end of the period, in ticks since its start; nothing: not known. Segments of equal length may fill the period but
/// for kSliver: the stated end is a rounded time then, and the period ends with the last whole segment.
std::optional<std::int64_t> period_end(const Period& period, const SegmentTimes& times) {
  if (!period.duration) return std::nullopt;
  const std::int64_t end = ticks_of(*period.duration, times.timescale);
  if (!times.duration) return end;
  const std::int64_t sliver = end % *times.duration;
  return end > *times.duration && sliver <= ticks_of(kSliver, times.timescale) ? end - sliver : end;
}

Segments all_of(const Period& period, const Representation& representation) {
  const Layout layout = layout_of(representation);
  const TickWindow window{.period_end = period_end(period, layout.times), .after = {}, .until = {}};
  const GridSegments found = segments_in(layout.times, layout.most, window);
  if (found.endless) refuse(representation, "the number of its segments is not known, as the end of the period is not");
  if (found.too_many) refuse(representation, fmt::format("it has more than {} segments", kMostSegments));
  return named(representation, layout.times, found);
}

/// From the start of the period until `now`, within the bounds of all times.
Duration elapsed(const Mpd& mpd, const Period& period, UtcTime now) {
  constexpr auto kBound = std::chrono::floor<std::chrono::milliseconds>(kLongestTime);
  const auto since = now - mpd.availability_start.value_or(UtcTime{});
  const Duration time = std::clamp(since, -kBound, kBound) - period.start.value_or(Duration{});
  return std::clamp(time, -kLongestTime, kLongestTime);
}

/// The stretch that a timeline lists, in ticks since the start of the period.
struct TickSpan {
  std::int64_t start = 0, end = 0;
  std::int64_t last_duration = 0;  // of its last segment
};

/// Nothing: there is no timeline, or it goes on without end.
std::optional<TickSpan> listed_span(const SegmentTimes& times) {
  if (!times.timeline || times.timeline->empty() || !times.timeline->back().count) return std::nullopt;
  const TimelineRun& last = times.timeline->back();
  return TickSpan{times.timeline->front().start - times.presentation_time_offset,
                  last.start + *last.count * last.duration - times.presentation_time_offset, last.duration};
}

/// Drops the parts that end after `until`, in ticks since the start of the period as segments are laid out. Returns when the
/// first of them ends.
std::optional<std::int64_t> drop_parts_to_come(Segments& segments, std::int64_t finer, std::int64_t until) {
  const auto end_of = [&](const Segment& one) { return one.start + one.duration - segments.presentation_time_offset; };
  const auto to_come =
      std::ranges::find_if(segments.list, [&](const Segment& one) { return end_of(one) > until * finer; });
  if (to_come == segments.list.end()) return std::nullopt;
  const std::int64_t next_end = end_of(*to_come);
  segments.list.erase(to_come, segments.list.end());
  return ceiling_of(next_end, finer);
}

/// The longest segment of a stretch of media, in ticks.
std::int64_t longest_of(const SegmentTimes& times) {
  std::int64_t longest = times.duration.value_or(1);
  for (const TimelineRun& run : times.timeline ? *times.timeline : Timeline{})
    longest = std::max(longest, run.duration);
  return longest;
}

/// What is there `time` after the start of a period, `offset` before it is complete included.
TickWindow window_at(const Mpd& mpd, const Period& period, const SegmentTimes& times, Duration time, Duration offset) {
  const std::uint32_t timescale = times.timescale;
  TickWindow window{.period_end = period_end(period, times), .after = {}, .until = ticks_of(time + offset, timescale)};
  const auto& depth = mpd.time_shift_buffer_depth;
  if (depth) window.after = ticks_of(time - *depth, timescale);
  const auto listed = period.duration || time < Duration{} ? std::nullopt : listed_span(times);
  if (!listed) return window;
  // A packager lists segments as it makes them: those of a timeline that runs ahead of the clock, or behind it by more
  // than the time shift buffer, are there as well.
  if (listed->start > *window.until + listed->last_duration) window.until = listed->end;
  if (depth && *window.after >= listed->end) {
    window.after = ticks_of(duration_of(listed->end, timescale) - *depth, timescale);
  }
  return window;
}

}  // namespace

Duration Segments::time_in_period(std::int64_t tick) const {
  return duration_of(tick - presentation_time_offset, timescale);
}

Segments all_segments(const Period& period, const Representation& representation) {
  return all_of(period, representation);
}

AvailableSegments available_segments(const Mpd& mpd, const Period& period, const Representation& representation,
                                     UtcTime now, std::optional<Duration> by_parts_from) {
  if (!mpd.dynamic) return {all_of(period, representation), std::nullopt};
  const Layout layout = layout_of(representation);
  const std::uint32_t timescale = layout.times.timescale;
  if (!period.start) return {named(representation, layout.times, {}), std::nullopt};
  const Duration offset =
      period.duration ? representation.availability_offset : std::min(representation.availability_offset, kMostAhead);
  const Duration time = elapsed(mpd, period, now);
  TickWindow window = window_at(mpd, period, layout.times, time, offset);
  const std::int64_t until = *window.until;
  const bool by_parts = by_parts_from && (names_parts(representation) || representation.pieces > 1);
  if (by_parts) window.until = until + longest_of(layout.times);
  const GridSegments found = segments_in(layout.times, layout.most, window);
  if (found.list.empty() && mpd.publish_time > now && *mpd.publish_time - now <= kMostClockError) {
    return available_segments(mpd, period, representation, *mpd.publish_time, by_parts_from);
  }
  if (found.endless) refuse(representation, "the number of its segments is not known, as the end of the period is not");
  std::optional<std::int64_t> pieces_from;
  if (by_parts) pieces_from = layout.times.presentation_time_offset + ticks_of(*by_parts_from, timescale);
  AvailableSegments available{named(representation, layout.times, found, pieces_from), std::nullopt};
  std::optional<std::int64_t> next_end = found.next_end;
  if (by_parts) {
    const std::int64_t finer = available.segments.timescale / timescale;
    if (const auto next_part = drop_parts_to_come(available.segments, finer, until)) next_end = next_part;
  }
  if (next_end) {
    const Duration wait = duration_of(*next_end, timescale) - offset - time;
    available.next = now + std::chrono::ceil<std::chrono::milliseconds>(std::clamp(wait, Duration{}, kLongestTime));
  }
  return available;
}

Segments indexed_segments(const IndexedAddressing& addressing, std::uint32_t timescale,
                          std::span<const IndexedPart> index) {
  const Duration offset = duration_of(addressing.presentation_time_offset, addressing.timescale);
  Segments segments{.timescale = timescale,
                    .presentation_time_offset = timescale == addressing.timescale ? addressing.presentation_time_offset
                                                                                  : ticks_of(offset, timescale),
                    .init = addressing.init,
                    .list = {}};
  std::int64_t number = 1;
  for (const IndexedPart& part : index) {
    segments.list.push_back({"", part.range, part.start, part.duration, number++});
  }
  return segments;
}

}  // namespace tributary::dash
