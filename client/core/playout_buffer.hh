#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A segment has begun to play. `due` is when it should have begun: the end of the segment before it.
struct Played {
  SegmentIndex segment{};
  TimePoint at;
  std::optional<TimePoint> due;  // nothing for the first, which cannot miss
  Duration miss() const { return due ? at - *due : Duration::zero(); }
};

/// Knows what is buffered, what is playing, and when the next segment must be complete. Segments play in the
/// order of their delivery, one after the other without a gap; if the next is not there, playout stands still
/// until it is (a deadline miss), and everything after it is due later by as much. Times are those at which
/// it should happen, not those at which somebody looked.
class PlayoutBuffer {
 public:
  /// The next segment is complete.
  void add(SegmentIndex segment, Duration duration, TimePoint now);
  /// Playout begins now, with the first of what is buffered, which must not be nothing.
  Played start(TimePoint now);
  bool started() const { return playing_until_.has_value(); }

  /// What has begun to play up to and including `now`, since the last call.
  std::vector<Played> advance(TimePoint now);
  /// What is buffered, as it will play if nothing comes in between.
  std::vector<Played> play_out();

  /// When the next segment is due; nothing before the start.
  std::optional<TimePoint> next_due() const { return playing_until_; }
  bool stalled(TimePoint now) const { return started() && queue_.empty() && *playing_until_ <= now; }

  std::size_t buffered_segments() const { return queue_.size(); }
  Duration buffered() const;
  Duration time_left_playout(TimePoint now) const;

 private:
  struct Buffered {
    SegmentIndex segment{};
    Duration duration{};
    TimePoint complete;
  };
  Played play_front(TimePoint at, std::optional<TimePoint> due);

  std::deque<Buffered> queue_;
  std::optional<TimePoint> playing_until_;
};

}  // namespace tributary
