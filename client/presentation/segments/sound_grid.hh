#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "presentation/presentation.hh"
#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Decides which segments of sound come with which segment of picture, where both are cut at different places: those
/// that start with it. One that starts in the last tenth of a picture comes with the next one, since packagers cut
/// sound a little before or behind the picture. Sound before the first picture comes with the first, sound behind the
/// last with the last. Of two stretches of sound with one picture, the earlier one comes with the picture before.
class SoundGrid {
 public:
  /// `starts`: of the segments of picture, whose title begins at tick `picture.start`. `picture` may have more segments.
  /// `complete`: neither track will have more.
  SoundGrid(const Track& sound, const Track& picture, const std::vector<Duration>& starts, bool complete = true) {
    extend(sound, picture, starts, complete);
  }
  /// Both tracks may have further segments. Those of sound that come too late for a segment of picture, which may be on
  /// its way, come with the next one.
  void extend(const Track& sound, const Track& picture, const std::vector<Duration>& starts, bool complete);

  struct Span {
    std::size_t begin = 0, end = 0;  // of the sound's segments
  };
  Span with(SegmentIndex segment) const;
  /// When a segment of the sound starts on the title's timeline, or the next one that is not known yet.
  Duration starts_at(SegmentIndex of_sound) const {
    return to_index(of_sound) < starts_.size() ? starts_[to_index(of_sound)] : end_;
  }
  /// The last segment of picture from which on all of the sound at the start of `segment` comes.
  SegmentIndex first_for(SegmentIndex segment) const;

 private:
  std::vector<Duration> starts_;  // by segment of sound
  Duration end_{};                // of the last one
  // By segment of picture:
  std::vector<Span> spans_;
  std::vector<bool> in_time_;          // its sound starts with it, so that none of an earlier one is needed
  std::size_t next_ = 0;               // segment of sound that has no picture yet
  std::optional<std::uint64_t> tick_;  // at which the next segment of sound starts that is not known yet
};

}  // namespace tributary
