#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/action_queue.hh"
#include "core/session_options.hh"
#include "presentation/segments/segment_table.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows all segments, which of them the origin has, and which one is started next. On demand all segments exist from
/// the start. Live, segments are published, added, and leave the origin's window.
class Timeline {
 public:
  Timeline(SegmentTable table, StreamingMode mode) : table_{std::move(table)}, live_{is_live(mode)} {}

  const SegmentTable& table() const { return table_; }
  /// The next segment to be started.
  SegmentIndex next_segment() const { return next_segment_; }
  void start_next() { next_segment_ = next(next_segment_); }
  void continue_with(SegmentIndex segment) { next_segment_ = segment; }
  void choose_sound(std::optional<std::size_t> track) { table_.choose_sound(track); }
  /// The origin does not have this part of a segment (SegmentTable::lose).
  std::size_t lose(const SegmentPart& part) { return table_.lose(part); }

  // ---- What becomes known of the presentation

  /// A known segment changes nothing.
  void add(SegmentIndex segment, const std::vector<TrackSegment>& tracks);
  void end() { table_.end(); }
  void learn_size(const SegmentPart& part, DataSize size) { table_.learn_size(part, size); }
  /// The origin has this segment, and all before it. Those that have left its window are skipped.
  /// `age`: since its publication.
  void publish(SegmentIndex segment, TimePoint now, ActionQueue& actions, Duration age = {});
  /// The origin has no segment before `first`: earlier segments that were not started are skipped.
  void move_window(SegmentIndex first, TimePoint now, ActionQueue& actions);
  /// This segment, the last that was started, does not come: those that continue it are of no use.
  void give_up(SegmentIndex segment, TimePoint now, ActionQueue& actions);
  /// Nobody wants this segment, or one behind it, any more.
  void end_before(SegmentIndex segment) { end_ = std::min(end_, segment); }
  /// Neither this segment nor one behind it is to be started for now.
  void leave_to_others(SegmentIndex segment) { left_to_others_ = segment; }

  // ---- What follows from it

  /// The segment needs the quality that it was started in: it continues another one, or one that was started
  /// continues it.
  bool is_bound(SegmentIndex segment) const {
    return table_.continues(segment) || (next(segment) < next_segment_ && table_.continues(next(segment)));
  }
  /// Every segment that is known was started.
  bool all_known_started() const { return to_index(next_segment_) >= known(); }
  /// And none will be added.
  bool all_started() const { return all_known_started() && table_.complete(); }
  /// The origin has the next segment.
  bool next_exists() const {
    return !all_known_started() && next_segment_ < left_to_others_ &&
           (!live_ || to_index(next_segment_) < published_at_.size());
  }
  /// The number of existing segments, from the next one on.
  std::size_t existing() const;
  bool left_window(SegmentIndex segment) const { return segment < window_begin_; }
  /// The segment, or the nearest that can still be asked for.
  SegmentIndex nearest_to(SegmentIndex segment) const;
  /// Time since its publication. Live, and only for published segments.
  std::optional<Duration> age(SegmentIndex segment, TimePoint now) const;
  bool live() const { return live_; }
  /// Live: where the newest media is that can exist now, on the title's timeline, by when segments were published. Nothing: none was.
  std::optional<Duration> live_edge(TimePoint now) const;
  /// Live: how long until the segment behind the next one exists. Zero if it exists already.
  Duration next_publication(TimePoint now) const;
  Duration end_of(SegmentIndex segment) const { return table_.starts_at(segment) + table_.duration(segment); }

  /// Live: all before this segment are skipped that were not started.
  void skip_to(SegmentIndex segment, TimePoint now, const std::string& reason, ActionQueue& actions);
  /// Live without buffering: skips segments, up to the newest, as long as the lag of the next one at `plays_at` exceeds
  /// `accepted_lag` by more than its duration (thesis section 4.2.3).
  void skip_to_live_edge(TimePoint plays_at, Duration accepted_lag, ActionQueue& actions);

 private:
  /// The number of segments that are known, up to the last that is wanted.
  std::size_t known() const { return std::min(table_.segment_count(), to_index(end_)); }
  void skip_what_left_window(TimePoint now, ActionQueue& actions);
  void skip_what_continues_nothing(TimePoint now, ActionQueue& actions);
  void skip_next(Duration lag, std::string reason, ActionQueue& actions);

  SegmentTable table_;
  bool live_;
  std::vector<TimePoint> published_at_;  // live: of each segment that exists
  std::optional<TimePoint> zero_;        // live: when the timeline began, if segments are published as they end
  SegmentIndex next_segment_{};
  SegmentIndex window_begin_{};
  std::optional<SegmentIndex> given_up_;  // the last segment that was skipped or given up
  SegmentIndex end_{std::numeric_limits<std::uint32_t>::max()};
  SegmentIndex left_to_others_ = end_;
};

}  // namespace tributary
