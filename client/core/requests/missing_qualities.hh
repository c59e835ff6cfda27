#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <vector>

#include "units/identifiers.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows in which qualities the origin lacks which segments, and decides which quality a segment is asked for in instead.
/// An origin that lacks several segments of a quality in a row, or its init part, lacks the quality: the quality is then
/// asked for again only after a while.
class MissingQualities {
 public:
  static constexpr std::size_t kManyInARow = 3;
  static constexpr Duration kLeftOutFor = std::chrono::seconds{60};

  /// True if the quality is left out from now on, and was not before.
  bool lacks(SegmentIndex segment, QualityIndex quality, TimePoint now);
  bool lacks_init(QualityIndex quality, TimePoint now);
  /// Live: the segment is not there yet, or not in this quality. Which of these holds is known when it comes in another.
  void lacks_until_now(SegmentIndex segment, QualityIndex quality);
  /// The segment came. Returns the qualities that are left out from now on, and were not before.
  std::vector<QualityIndex> came(SegmentIndex segment, TimePoint now);
  /// No quality has the segment yet. Returns the one in which it was asked for first.
  QualityIndex not_there_yet(SegmentIndex segment, TimePoint now);
  /// The segment is looked for in one quality after the other.
  bool looks_for(SegmentIndex segment) const;
  /// When not_there_yet() was said of the segment.
  std::optional<TimePoint> looked_everywhere(SegmentIndex segment) const;
  /// The origin lacks the segment in all qualities. Whoever wants it again later asks for it anew.
  void give_up(SegmentIndex segment) {
    lacking_.erase(segment);
    ++given_up_;
  }
  std::size_t given_up() const { return given_up_; }

  /// `wanted`, if the origin may have the segment in it; else the next lower quality of which that holds, else the next
  /// higher one. Nothing: the origin lacks the segment in all qualities.
  std::optional<QualityIndex> instead_of(QualityIndex wanted, SegmentIndex segment, QualityIndex highest,
                                         TimePoint now) const;

 private:
  struct Lacking {
    std::vector<QualityIndex> qualities{};  // in the order in which it was asked for
    bool may_come_yet = false;
    std::optional<TimePoint> looked_everywhere{};
  };

  void note(SegmentIndex segment, QualityIndex quality);
  bool is_lacking(SegmentIndex segment, QualityIndex quality) const;
  /// And it does not come later.
  bool lacks_for_good(SegmentIndex segment, QualityIndex quality) const;
  bool is_left_out(QualityIndex quality, TimePoint now) const;
  std::size_t in_a_row(SegmentIndex segment, QualityIndex quality) const;

  std::map<SegmentIndex, Lacking> lacking_;
  std::map<QualityIndex, TimePoint> left_out_until_;
  std::size_t given_up_ = 0;  // segments
};

}  // namespace tributary
