#pragma once

#include "segmenter/plan/segment_plan.hh"

namespace tributary::segmenter {

/// Where the parts of segments begin and end, in pictures and frames of sound. Parts are equally long, but the last of a
/// segment may be shorter. Sound is cut at the boundary of a frame that is nearest to the picture's cut.
class PartPlan {
 public:
  /// Divides segments into as few parts as possible, none longer than `longest`; a part has at least one picture. Zero:
  /// a segment is one part.
  PartPlan(SegmentPlan plan, Duration longest);

  /// Whether parts are files of their own.
  bool divides() const { return pictures_per_part_ > 0; }
  /// Of every part but the last of a segment; 0: of none.
  std::uint64_t pictures() const { return pictures_per_part_; }
  /// The first picture of the part that has this picture, and the end of that part.
  std::uint64_t begin_of(std::uint64_t picture) const;
  std::uint64_t end_of(std::uint64_t picture) const;
  bool ends_segment(std::uint64_t end) const { return plan_.starts_segment(end); }

  /// The longest part of the picture, in ticks, and of sound, in frames.
  std::uint64_t longest_picture() const;
  std::uint64_t longest_sound(int sample_rate, int frame_samples) const;

 private:
  SegmentPlan plan_;
  std::uint64_t pictures_per_part_ = 0;  // 0: as many as the segment has
};

}  // namespace tributary::segmenter
