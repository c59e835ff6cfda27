#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "presentation/presentation.hh"
#include "presentation/segments/sound_grid.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// When segments play, on the title's timeline from its first segment on, and which segments of sound come with each.
class SegmentGrid {
 public:
  /// `count`: how many segments of the picture there are, of those that it has.
  SegmentGrid(const Track& picture, std::size_t count);
  /// The picture has a further segment.
  void append(const Track& picture);
  /// From now on this sound comes with the picture; null: none.
  void choose_sound(const Track* sound, bool has_own_grid, const Track& picture, bool grows);
  /// The sound may have further segments. Those of a grid of its own come with this segment of the picture or a later
  /// one.
  void extend_sound(const Track& sound, const Track& picture);

  std::size_t count() const { return starts_.size(); }
  Duration starts_at(SegmentIndex segment) const { return starts_[to_index(segment)]; }
  Duration duration(SegmentIndex segment) const {
    const std::size_t behind = to_index(segment) + 1;
    return (behind < starts_.size() ? starts_[behind] : end_) - starts_[to_index(segment)];
  }
  /// Where the timeline ends, as far as it is known.
  Duration end() const { return end_; }
  /// The segment at this position of the timeline; the last one for positions beyond.
  SegmentIndex segment_at(Duration position) const;
  /// The segment from which on all of picture and sound at this position comes: that of the picture, or an earlier one
  /// where a longer segment of sound begins.
  SegmentIndex first_for(Duration position) const;

  Duration sound_starts_at(SegmentIndex of_sound) const {
    return sound_grid_ ? sound_grid_->starts_at(of_sound) : starts_at(of_sound);
  }
  /// The segments of the sound that come with this one. The sound may end before the picture does.
  SoundGrid::Span sound_of(SegmentIndex segment, const Track& sound) const;

 private:
  std::vector<Duration> starts_;
  Duration end_{};                       // of the last
  std::optional<SoundGrid> sound_grid_;  // if the sound has one of its own
};

}  // namespace tributary
