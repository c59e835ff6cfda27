#include "dash/reading/timeline_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "dash/bounds.hh"
#include "dash/tick_time.hh"

namespace tributary::dash {
namespace {

/// Durations that recur (Pattern, of the sixth edition): runs of equal ones.
struct Pattern {
  struct Run {
    std::int64_t first = 0;  // which segment of the pattern it begins with
    std::int64_t duration = 1, count = 1;
  };
  std::vector<Run> runs;
  std::int64_t length = 0;  // segments of all runs
};

/// By `id`.
using Patterns = std::map<std::string, Pattern, std::less<>>;

Patterns read_patterns(const XmlElement& timeline) {
  Patterns patterns;
  timeline.each("Pattern", [&](const XmlElement& element) {
    Pattern pattern;
    element.each("P", [&](const XmlElement& p) {
      const auto duration = p.whole("d", 1, kMostLength);
      if (!duration) p.refuse("\"d\" is missing");
      const std::int64_t count = p.whole("r", 0, kMostSegments - 1).value_or(0) + 1;
      pattern.runs.push_back({pattern.length, *duration, count});
      pattern.length += count;
      if (pattern.length > kMostSegments) p.refuse(fmt::format("more than {} segments", kMostSegments));
    });
    if (pattern.runs.empty()) element.refuse("it has no P");
    patterns.emplace(element.text("id").value_or(""), std::move(pattern));
  });
  return patterns;
}

/// What has been read of a timeline.
class TimelineGrowth {
 public:
  explicit TimelineGrowth(Patterns patterns) : patterns_{std::move(patterns)} {}

  void add(const XmlElement& s) {
    const auto stated_start = s.whole("t", 0, kMostTicks);
    if (stated_start) end_last_at(*stated_start, s);
    if (!runs_.empty() && !runs_.back().count) s.refuse("\"t\" is missing, after an S that repeats without a number");
    if (stated_start) next_ = *stated_start;
    const std::int64_t repeats = s.whole("r", -kMostSegments, kMostTicks).value_or(0);
    parts_ = s.whole("k", 1, kMostSegments).value_or(1);
    if (const auto id = s.text("p")) {
      const auto pattern = patterns_.find(*id);
      if (pattern == patterns_.end()) s.refuse(fmt::format("no Pattern has the id {}", *id));
      return add_pattern(pattern->second, repeats, s);
    }
    const auto duration = s.whole("d", 0, kMostLength);
    if (!duration) s.refuse("\"d\" is missing");
    if (*duration == 0) return;  // a segment of no length: there is nothing to play in it
    if (repeats < 0) {
      runs_.push_back({.start = next_, .duration = *duration, .count = {}, .parts = parts_});
    } else {
      add_run(*duration, repeats + 1, s);
    }
  }

  Timeline take() { return std::move(runs_); }

 private:
  void add_run(std::int64_t duration, std::int64_t segments, const XmlElement& s) {
    count(segments, s);
    if (duration > (kMostTicks - next_) / segments) s.refuse("its end is beyond all times");
    runs_.push_back({.start = next_, .duration = duration, .count = segments, .parts = parts_});
    next_ += segments * duration;
  }

  /// `repeats` counts segments after the first one, which is segment "pE" of the pattern.
  void add_pattern(const Pattern& pattern, std::int64_t repeats, const XmlElement& s) {
    if (repeats < 0 || repeats >= kMostSegments) s.refuse("it repeats a Pattern without end");
    const std::int64_t entry = s.whole("pE", 0, pattern.length - 1).value_or(0);
    auto run = std::prev(std::ranges::upper_bound(pattern.runs, entry, {}, &Pattern::Run::first));
    std::int64_t skipped = entry - run->first;
    for (std::int64_t left = repeats + 1; left > 0;) {
      const std::int64_t taken = std::min(run->count - skipped, left);
      add_run(run->duration, taken, s);
      left -= taken;
      skipped = 0;
      if (++run == pattern.runs.end()) run = pattern.runs.begin();
    }
  }

  void count(std::int64_t segments, const XmlElement& s) {
    if (segments > kMostSegments - segments_) s.refuse(fmt::format("more than {} segments", kMostSegments));
    segments_ += segments;
  }

  /// Counts a repetition without a number; shortens the last segment if it reaches over `start`.
  void end_last_at(std::int64_t start, const XmlElement& s) {
    if (runs_.empty()) return;
    TimelineRun& last = runs_.back();
    if (start <= last.start) s.refuse("\"t\" is not after the S before it");
    if (!last.count) {
      last.count = ceiling_of(start - last.start, last.duration);
      count(*last.count, s);
    }
    const std::int64_t last_start = last.start + (*last.count - 1) * last.duration;
    if (start <= last_start) s.refuse("\"t\" is not after the segment before it");
    if (start >= last_start + last.duration) return;
    const TimelineRun shorter{.start = last_start, .duration = start - last_start, .count = 1, .parts = last.parts};
    if (--*last.count == 0) runs_.pop_back();
    runs_.push_back(shorter);
  }

  Patterns patterns_;
  Timeline runs_;
  std::int64_t parts_ = 1;     // of each segment of this S
  std::int64_t next_ = 0;      // the tick after the last segment
  std::int64_t segments_ = 0;  // counted so far
};

}  // namespace

Timeline read_timeline(const XmlElement& element) {
  TimelineGrowth growth{read_patterns(element)};
  element.each("S", [&](const XmlElement& s) { growth.add(s); });
  return growth.take();
}

}  // namespace tributary::dash
