#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
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
/// segment is there when all qualities list it, and the sounds all that comes with it; a sound that lags far behind is
/// not waited for. Between the first listing and later ones there may be a hole, which is a lost segment.
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
    std::uint32_t listed_stretch = 0;           // of the last that was listed
    std::optional<std::uint32_t> told_stretch;  // nothing: only lost ones were told
    std::map<std::uint32_t, StretchStart> stretches;
    std::int64_t begin = 0;

    Duration time(std::int64_t ticks) const { return from_seconds(static_cast<double>(ticks) / track.timescale); }
    bool is_sound() const { return track.kind == TrackKind::kAudio; }
  };
  void begin_together();
  void queue(Lane& lane, const ListedSegment& segment) const;
  static void end_stretch(Lane& lane, const ListedSegment& next);
  bool make_ready(const ListedSegment& first, bool complete);
  bool sound_is_there(Duration start, Duration end, bool complete) const;
  GrownSegment tell_front();
  void tell(std::size_t lane, GrownSegment& into);

  std::vector<Lane> lanes_;
  bool begun_ = false;  // a listing was taken in
};

}  // namespace tributary
