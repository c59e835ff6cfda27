#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "manifests/live/live_manifest.hh"

namespace tributary {

/// A segment of the title in all its tracks.
struct GrownSegment {
  Duration start{}, duration{};  // on the title's timeline
  bool lost = false;             // nobody lists it any more
  std::vector<TrackSegment> tracks;
};

/// Joins the listings of a live title by their times: what a listing adds to those before it, segment by segment. A
/// segment is there when all qualities list it, and the sounds all that comes with it; tracks that are not there, and a
/// sound that lags far behind, are not waited for. For a segment that continues another one, only those that are played are
/// waited for. In a quality that lacks a segment, the file of the nearest quality that
/// has it stands for it; a sound that is not there is silent. What no quality lists between the first listing and later
/// ones is a lost segment.
class TitleGrowth {
 public:
  /// `listing` has the tracks; its segments are not taken in yet.
  explicit TitleGrowth(const Listing& listing);

  /// Throws ManifestError for a listing with other tracks, or too many new segments.
  std::vector<GrownSegment> take(const Listing& listing);
  /// Listings need not go back beyond this.
  Duration needed_after() const;
  /// When the first segment of the track starts, in its ticks.
  std::int64_t start_of(std::size_t track) const { return lanes_[track].begin; }

 private:
  /// A track, from listed to told.
  struct Lane {
    Track track;  // all but its segments
    std::deque<ListedSegment> waiting;
    std::optional<std::int64_t> listed_end;  // of the last that was listed
    std::optional<std::int64_t> told_end;
    std::uint32_t listed_stretch = 0;  // of the last that was listed
    /// The lane and the stretch of the file that was told last; nothing: only lost ones were told.
    std::optional<std::pair<std::size_t, std::uint32_t>> told_from;
    std::map<std::uint32_t, StretchStart> stretches;
    std::int64_t begin = 0;
    bool is_there = true;
    bool is_played = true;

    Duration time(std::int64_t ticks) const { return from_seconds(static_cast<double>(ticks) / track.timescale); }
    bool is_sound() const { return track.kind == TrackKind::kAudio; }
  };
  /// Of a segment of the leading quality.
  struct Times {
    Duration start{}, end{};
    Duration half() const { return (end - start) / 2; }
  };
  using Fronts = std::vector<std::optional<ListedSegment>>;  // of each lane: the segment, where it is listed

  static void drop_told(Lane& lane);
  Lane& lead();
  static bool is_better_lead(const Lane& lane, const Lane& than);
  void begin_together();
  void queue(Lane& lane, const ListedSegment& segment) const;
  static void end_stretch(Lane& lane, const ListedSegment& next);
  bool make_ready(const ListedSegment& first, bool complete);
  bool sound_is_there(Duration start, Duration end, bool complete);
  GrownSegment tell_front();
  void tell_sound(std::size_t lane, const Times& picture, GrownSegment& into);
  Fronts fronts(const Times& picture) const;
  std::optional<std::size_t> nearest_to(std::size_t lane, const Fronts& fronts) const;
  void stand_in(std::size_t lane, std::size_t other, const ListedSegment& segment, GrownSegment& into);
  void tell_lost(std::size_t lane, const Times& picture, GrownSegment& into);
  static void pass_over(Lane& lane, std::int64_t least);
  void tell_stretch(std::size_t lane, std::size_t from, std::uint32_t stretch, TrackSegment& told);
  void tell(std::size_t lane, GrownSegment& into);

  std::vector<Lane> lanes_;
  bool begun_ = false;  // a listing was taken in
};

}  // namespace tributary
