#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/playout_state.hh"
#include "core/session_options.hh"
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
///
/// That is what an assumed player does all the time, and a reporting one between two reports: each report says where it
/// really is, and all that follows is due accordingly; while it is paused, nothing is. Only it says when it stalls: it may
/// be a little behind what is thought of it, and play on.
/// Lengths are those of the timeline: at twice the speed they take half the time.
class PlayoutBuffer {
 public:
  explicit PlayoutBuffer(PlayoutSource source = PlayoutSource::kAssumed) : source_{source} {}

  /// The next segment is complete.
  void add(SegmentIndex segment, Duration duration, TimePoint now);
  /// Nothing is buffered or playing any more, nor has playout begun.
  void clear();
  /// Playout begins now, with the first of what is buffered, which must not be nothing. Not for a reporting player.
  Played start(TimePoint now);
  bool started() const { return playing_until_ || left_; }

  struct Report {
    PlayoutState state{};
    SegmentIndex segment{};
    Duration left{};  // of it
    double speed = 1;
  };
  /// What the player does, and so what has begun to play. It has not begun anything before the segment that is thought to
  /// play, or it has, and `left` reaches to the end of that.
  std::vector<Played> report(const Report& report, TimePoint now);

  /// What has begun to play up to and including `now`, since the last call.
  std::vector<Played> advance(TimePoint now);
  /// What is buffered, as it will play if nothing comes in between.
  std::vector<Played> play_out();

  /// When the next segment is due; nothing before the start, and while playout is paused.
  std::optional<TimePoint> next_due() const { return stalled_since_ ? stalled_since_ : playing_until_; }
  /// Playout stands still, and not because somebody wants it to.
  bool stalled(TimePoint now) const;
  std::optional<SegmentIndex> playing() const { return playing_; }
  double speed() const { return speed_; }

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
  Played after_stall(Played played);

  PlayoutSource source_;
  std::deque<Buffered> queue_;
  std::optional<SegmentIndex> playing_;
  std::optional<TimePoint> playing_until_;  // while it plays
  std::optional<Duration> left_;            // of what plays, while it does not go on
  double speed_ = 1;
  std::optional<TimePoint> stalled_since_;  // as reported
  std::optional<Played> late_;              // the stall that ended last, before a segment has begun to play after it
};

}  // namespace tributary
