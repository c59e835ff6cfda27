#include "dash/reading/timeline_reader.hh"

#include <fmt/format.h>

#include "dash/bounds.hh"
#include "dash/tick_time.hh"

namespace tributary::dash {
namespace {

/// What has been read of a timeline.
class TimelineGrowth {
 public:
  void add(const XmlElement& s) {
    const auto stated_start = s.whole("t", 0, kMostTicks);
    const auto duration = s.whole("d", 1, kMostLength);
    const std::int64_t repeats = s.whole("r", -kMostSegments, kMostTicks).value_or(0);
    if (!duration) s.refuse("\"d\" is missing");
    if (stated_start) end_last_at(*stated_start, s);
    if (!runs_.empty() && !runs_.back().count) s.refuse("\"t\" is missing, after an S that repeats without a number");
    TimelineRun run{.start = stated_start.value_or(next_), .duration = *duration, .count = {}};
    if (repeats >= 0) {
      run.count = repeats + 1;
      count(*run.count, s);
      if (*duration > (kMostTicks - run.start) / *run.count) s.refuse("its end is beyond all times");
      next_ = run.start + *run.count * *duration;
    }
    runs_.push_back(run);
  }

  Timeline take() { return std::move(runs_); }

 private:
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
    const TimelineRun shorter{.start = last_start, .duration = start - last_start, .count = 1};
    if (--*last.count == 0) runs_.pop_back();
    runs_.push_back(shorter);
  }

  Timeline runs_;
  std::int64_t next_ = 0;      // the tick after the last segment
  std::int64_t segments_ = 0;  // counted so far
};

}  // namespace

Timeline read_timeline(const XmlElement& element) {
  TimelineGrowth growth;
  element.each("S", [&](const XmlElement& s) { growth.add(s); });
  return growth.take();
}

}  // namespace tributary::dash
