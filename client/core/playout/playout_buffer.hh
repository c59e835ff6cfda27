#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/playout/playout_state.hh"
#include "core/session_options.hh"
#include "units/data_size.hh"
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

/// Knows which segments are buffered, which one plays, and when the next one must be complete. Segments play in the
/// order of their delivery, without a gap. If the next segment is missing, playout stands still until it is complete (a
/// deadline miss), and all later segments are due later by as much. Times are computed; they do not depend on when
/// somebody looked.
///
/// An assumed player does exactly that. A reporting player is taken to do so between two reports, and each report
/// corrects the buffer. While it is paused, no segment is due. Only its report makes a stall: it may lag behind the
/// computed place, and play on. Lengths are those of the timeline: at twice the speed they take half the time.
class PlayoutBuffer {
 public:
  explicit PlayoutBuffer(PlayoutSource source = PlayoutSource::kAssumed) : source_{source} {}

  /// The next segment is complete.
  void add(SegmentIndex segment, Duration duration, TimePoint now, DataSize size = {});
  /// Nothing is buffered or playing any more, nor has playout begun.
  void clear();
  /// Playout begins now with the first buffered segment; one must be there. Not for a reporting player.
  Played start(TimePoint now);
  bool started() const { return playing_until_ || left_; }

  /// An assumed player plays at this speed from now on.
  void set_speed(double speed, TimePoint now);

  struct Report {
    PlayoutState state{};
    SegmentIndex segment{};
    Duration left{};  // of it
    double speed = 1;
  };
  /// Corrects the buffer by the report, and returns the segments that have begun to play. The report never lies before
  /// the segment that is thought to play; if the player is still in an earlier one, `left` reaches to the end of the
  /// thought one.
  std::vector<Played> report(const Report& report, TimePoint now);

  /// The segments that have begun to play up to and including `now`, since the last call.
  std::vector<Played> advance(TimePoint now);
  /// The buffered segments, as they will play without an interruption.
  std::vector<Played> play_out();

  /// When the next segment is due; nothing before the start, and while playout is paused.
  std::optional<TimePoint> next_due() const { return stalled_since_ ? stalled_since_ : playing_until_; }
  /// Playout stands still, and is not paused.
  bool stalled(TimePoint now) const;
  std::optional<SegmentIndex> playing() const { return playing_; }
  double speed() const { return speed_; }

  std::size_t buffered_segments() const { return queue_.size(); }
  DataSize buffered_bytes() const;
  Duration buffered() const;
  Duration time_left_playout(TimePoint now) const;

 private:
  struct Buffered {
    SegmentIndex segment{};
    Duration duration{};
    TimePoint complete;
    DataSize size;
  };
  Played play_front(TimePoint at, std::optional<TimePoint> due);
  Played after_stall(Played played);

  PlayoutSource source_;
  std::deque<Buffered> queue_;
  std::optional<SegmentIndex> playing_;
  std::optional<TimePoint> playing_until_;  // while it plays
  std::optional<Duration> left_;            // of the playing segment, while it stands still
  double speed_ = 1;
  std::optional<TimePoint> stalled_since_;  // as reported
  std::optional<Played> late_;              // the last stall, until the next segment begins to play
};

}  // namespace tributary
