#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>

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

  void lacks(SegmentIndex segment, QualityIndex quality, TimePoint now);
  void lacks_init(QualityIndex quality, TimePoint now) { left_out_until_[quality] = now + kLeftOutFor; }
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
  bool is_lacking(SegmentIndex segment, QualityIndex quality) const;
  bool is_left_out(QualityIndex quality, TimePoint now) const;
  std::size_t in_a_row(SegmentIndex segment, QualityIndex quality) const;

  std::map<SegmentIndex, std::set<QualityIndex>> lacking_;
  std::map<QualityIndex, TimePoint> left_out_until_;
  std::size_t given_up_ = 0;  // segments
};

}  // namespace tributary
