#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "core/action.hh"
#include "core/event.hh"
#include "core/requests/segment_assembly.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Decides whether a late segment begins to play before all of it is here. A frame needs none behind it in decoding
/// order, so any beginning of a segment can be decoded, and the rest may come while it plays. A frame that comes later
/// than it is to be shown is lost. Lost frames are a small share of all, as far as that can be foreseen.
///
/// A player that reports gets the front of the segment that it begins with at once, and shows its first picture. It plays when
/// the session allows it.
class PartialPlay {
 public:
  void told(const event::FramesTold& e);
  /// Hands on frames that have come, and begins segments that are due. Call it before playout is told to stand still, and
  /// before complete segments are delivered.
  void look(SessionState& s);
  /// The player gets all of what is being received again, from its beginning.
  void play_anew();
  /// For a complete segment: what did not go to the sink meanwhile.
  action::DeliverSegment rest_of(SegmentIndex segment, QualityIndex quality, bool plays);
  /// The next segment may have to play in part: its front is the most important.
  static bool needs_front(const SessionState& s);
  /// So much before a segment is due, a player that reports needs its first frames.
  static Duration lead(const SessionState& s);

 private:
  /// The frames of a segment that is being received, in decoding order.
  struct Picture {
    QualityIndex quality{};
    std::vector<DataSize> ends;
    std::uint32_t looked_at = 0;  // so many have come; `lost` has those of them that came too late
    std::uint32_t handed_on = 0;
    std::uint32_t lost = 0;
  };

  /// The number of frames that can be decoded; nothing while the segment cannot play in part.
  std::optional<std::uint32_t> frames_here(const SegmentAssembly& segment) const;
  bool may_begin(const SegmentAssembly& segment, const SessionState& s) const;
  void show_front(SessionState& s);
  void begin(SegmentAssembly& segment, TimePoint seen, SessionState& s);
  void hand_on(const SegmentAssembly& segment, SessionState& s);
  /// What has not come of the first segment is lost.
  void end_first(SessionState& s);
  void forget(SegmentIndex segment);

  std::map<SegmentIndex, Picture> pictures_;
  TimePoint looked_at_;
  std::uint64_t frames_ = 0, lost_ = 0;  // of all segments before
};

}  // namespace tributary
