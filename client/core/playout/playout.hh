#pragma once

#include <optional>
#include <string>

#include "core/action_queue.hh"
#include "core/event.hh"
#include "core/playout/playout_buffer.hh"
#include "core/session_options.hh"
#include "core/timeline/timeline.hh"

namespace tributary {

/// Decides when playout begins and goes on, and tells which segments play and when playout stands still. An assumed
/// player plays by the clock. A reporting player is allowed to begin, and reports its own state.
class Playout {
 public:
  explicit Playout(PlayoutSource source) : source_{source}, buffer_{source} {}

  const PlayoutBuffer& buffer() const { return buffer_; }
  /// Segments that have begun to play, seeks or not.
  std::size_t segments_played() const { return segments_played_; }

  // ---- What happens

  void advance(TimePoint now, ActionQueue& actions);
  /// The segment is complete, and all before it.
  void add(SegmentIndex segment, Duration duration, TimePoint now, ActionQueue& actions, DataSize size = {});
  /// Playout begins, or may begin, if `segments_to_start` are buffered. If `nothing_more_comes` before, any segment is
  /// enough.
  void start_if_ready(std::size_t segments_to_start, bool nothing_more_comes, TimePoint now, ActionQueue& actions);
  /// All buffered segments play, without an interruption.
  void play_out(ActionQueue& actions);
  /// Playout begins anew at this segment. From there on, `cached` segments of the table are there already.
  void seek(SegmentIndex segment, std::uint32_t cached, const SegmentTable& table, TimePoint now);
  /// Live: a user who seeks to a segment of this age accepts that lag. Only a later lag is made up for.
  void accept_age(Duration age, Duration duration) { accepted_lag_ = std::max(age - duration, Duration::zero()); }
  /// From now on it plays at this speed; a player is told to. No wish of the user's (accepted_lag).
  void steer(double speed, std::string reason, TimePoint now, ActionQueue& actions);
  /// True if playout stands still by this report.
  bool report(const event::PlayoutReported& report, const Timeline& timeline, TimePoint now, ActionQueue& actions);
  /// Remembers since when the user waits for playout to begin.
  void look_for_wish_to_start(bool something_comes, TimePoint now);

  // ---- What follows from it

  /// Playout stands still, and no Stall was told for that.
  bool has_new_stall(TimePoint now) const { return buffer_.stalled(now) && !stall_told_; }
  void tell_stall(std::string reason, ActionQueue& actions);
  /// The user waits for playout: it has begun and is not paused, or a reporting player may begin.
  bool awaited() const { return buffer_.next_due() || (reported() && !buffer_.started()); }
  /// A reporting player has not been allowed to play yet, from the beginning or from where it went.
  bool waits_for_start() const { return reported() && waiting_ == Waiting::kForStart; }
  bool may_stand_still() const { return buffer_.started() || reported(); }
  /// When the first of the segments that are not complete is wanted.
  TimePoint first_due(TimePoint now) const { return buffer_.next_due().value_or(now) + play_time(buffer_.buffered()); }
  /// Since when the user waits for playout to begin.
  std::optional<TimePoint> start_wanted() const { return start_wanted_; }
  /// Live: how far behind the edge the user wants to be.
  Duration accepted_lag() const { return accepted_lag_; }

  /// Duration of the media at the speed of playout, and length of the media that plays in a time.
  Duration play_time(Duration media) const {
    return buffer_.speed() == 1 ? media : from_seconds(to_seconds(media) / buffer_.speed());
  }
  Duration media_time(Duration time) const {
    return buffer_.speed() == 1 ? time : from_seconds(to_seconds(time) * buffer_.speed());
  }

 private:
  /// A reporting player may not play before this.
  enum class Waiting { kForNothing, kForStart, kForEndOfStall };
  struct Pace {
    TimePoint since;
    double speed = 1;  // 0 while it is paused
  };

  bool reported() const { return source_ == PlayoutSource::kReported; }
  void play(const Played& played, ActionQueue& actions);
  void allow(std::string reason, ActionQueue& actions);
  void account_lag(const event::PlayoutReported& report, TimePoint now);

  PlayoutSource source_;
  PlayoutBuffer buffer_;
  Waiting waiting_ = Waiting::kForStart;
  bool has_reported_playing_ = false;  // since the start or the last seek
  bool stall_told_ = false;
  std::size_t segments_played_ = 0;
  std::optional<Pace> pace_;
  bool is_steered_ = false;
  Duration accepted_lag_{};
  std::optional<TimePoint> start_wanted_;
};

}  // namespace tributary
