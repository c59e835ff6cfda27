#include "dash/segments/segment_grid.hh"

#include <algorithm>
#include <limits>

#include "dash/bounds.hh"
#include "dash/tick_time.hh"

namespace tributary::dash {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// Segments of equal length, in ticks since the start of the period.
struct Stretch {
  std::int64_t start = 0, duration = 1;
  std::int64_t count = 0;        // kNone: endless
  std::int64_t first_index = 0;  // of its first segment
  std::int64_t parts = 1;        // of each segment

  std::int64_t end_of(std::int64_t i) const { return start + (i + 1) * duration; }
};

/// Puts the segments of one stretch after the other into a window.
class WindowFill {
 public:
  /// `offset`: the tick at which the period begins.
  WindowFill(std::int64_t offset, const TickWindow& window) : offset_{offset}, window_{window} {}

  /// `clipped`: a last segment that reaches over the end of the period ends there, as those of equal length do.
  void add(const Stretch& stretch, bool clipped) {
    const std::int64_t count = count_in_period(stretch);
    const std::int64_t gone = std::clamp<std::int64_t>(
        window_.after ? floor_of(*window_.after - stretch.start, stretch.duration) : 0, 0, count);
    std::int64_t there = count;
    if (window_.until) {
      there = std::clamp<std::int64_t>(floor_of(*window_.until - stretch.start, stretch.duration), 0, count);
      if (clipped && there < count && end_of(stretch, there, clipped) <= *window_.until) ++there;
    }
    if (there == kNone) {
      result_.endless = true;
      return;
    }
    if (there < count && !result_.next_end) result_.next_end = end_of(stretch, there, clipped);
    if (there - gone > kMostSegments) result_.too_many = true;
    if (result_.too_many && !window_.until) return;
    for (std::int64_t i = std::max(gone, there - kMostSegments); i < there; ++i) {
      const std::int64_t start = stretch.start + i * stretch.duration;
      result_.list.push_back(
          {stretch.first_index + i, start + offset_, end_of(stretch, i, clipped) - start, stretch.parts});
    }
  }

  GridSegments take() {
    if (std::ssize(result_.list) > kMostSegments) {
      result_.too_many = true;
      result_.list.erase(result_.list.begin(), result_.list.end() - kMostSegments);
    }
    return std::move(result_);
  }

 private:
  /// Those that begin before the period ends; kNone: endless.
  std::int64_t count_in_period(const Stretch& stretch) const {
    if (!window_.period_end) return stretch.count;
    const std::int64_t room = *window_.period_end - stretch.start;
    return std::min(stretch.count, room <= 0 ? 0 : ceiling_of(room, stretch.duration));
  }

  std::int64_t end_of(const Stretch& stretch, std::int64_t i, bool clipped) const {
    const std::int64_t end = stretch.end_of(i);
    return clipped && window_.period_end ? std::min(end, *window_.period_end) : end;
  }

  std::int64_t offset_;
  TickWindow window_;
  GridSegments result_;
};

/// No segment of these ends beyond all times.
std::int64_t bounded(std::int64_t count, std::int64_t duration) {
  return count == kNone ? kNone : std::min(count, kMostTicks / duration);
}

/// Puts the runs of a timeline into a window.
class TimelineFill {
 public:
  TimelineFill(const SegmentTimes& times, std::int64_t most, const TickWindow& window)
      : offset_{times.presentation_time_offset},
        sliver_{ticks_of(kSliver, times.timescale)},
        most_{most},
        window_{window},
        fill_{offset_, window} {}

  GridSegments along(const Timeline& timeline) {
    Stretch stretch;
    for (const TimelineRun& run : timeline) {
      stretch.first_index += stretch.count;
      stretch.start = run.start - offset_;
      stretch.duration = run.duration;
      stretch.parts = run.parts;
      const std::int64_t left = most_ == kNone ? kNone : most_ - stretch.first_index;
      stretch.count = bounded(std::min(count_of(run, stretch), left), run.duration);
      if (stretch.count <= 0) break;
      fill_.add(stretch, false);
    }
    GridSegments found = fill_.take();
    if (found.next_end || timeline.empty() || !timeline.back().count || !window_.until) return found;
    found.next_end = expected_end(stretch);
    return found;
  }

 private:
  /// A repetition without a number goes on to the end of the period; kNone: the end is not known.
  std::int64_t count_of(const TimelineRun& run, const Stretch& stretch) const {
    if (run.count) return *run.count;
    if (!window_.period_end) return kNone;
    return std::max<std::int64_t>(ceiling_of(*window_.period_end - sliver_ - stretch.start, stretch.duration), 0);
  }

  /// The end of a segment that follows the last one and is as long; nothing: the period has no room for it.
  std::optional<std::int64_t> expected_end(const Stretch& last) const {
    const std::int64_t end = last.end_of(last.count - 1);
    if (last.first_index + last.count >= most_) return std::nullopt;
    if (window_.period_end && end >= *window_.period_end - sliver_) return std::nullopt;
    return end + last.duration;
  }

  std::int64_t offset_, sliver_, most_;
  TickWindow window_;
  WindowFill fill_;
};

}  // namespace

GridSegments segments_in(const SegmentTimes& times, std::optional<std::int64_t> most, const TickWindow& window) {
  std::int64_t bound = most.value_or(kNone);
  if (times.end_number) bound = std::min(bound, std::max<std::int64_t>(*times.end_number - times.start_number + 1, 0));
  if (times.timeline) {
    TickWindow within = window;
    within.after = std::max<std::int64_t>(window.after.value_or(0), 0);  // no segment from before the period
    return TimelineFill{times, bound, within}.along(*times.timeline);
  }
  WindowFill fill{times.presentation_time_offset, window};
  if (times.duration) {
    fill.add({0, *times.duration, bounded(bound, *times.duration), 0, times.parts}, true);
    return fill.take();
  }
  // One segment as long as the period.
  if (!window.period_end) return {.list = {}, .next_end = {}, .endless = true};
  fill.add({0, std::max<std::int64_t>(*window.period_end, 1), 1, 0}, true);
  return fill.take();
}

}  // namespace tributary::dash
