#pragma once

#include <algorithm>

#include "segmenter/encoders/video_ladder_encoder.hh"

namespace tributary::segmenter {

/// Leaves out pictures evenly when the encoders do not keep up: fewer and fewer are kept while the slowest is too far
/// behind, and more again when it has caught up. Memory and delay are bounded by that, and the timeline does not drift.
class EvenChoice : public PictureChoice {
 public:
  /// `room`: so many pictures an encoder may be behind. A source may begin with what has been waiting there: the first
  /// pictures are kept.
  EvenChoice(std::uint64_t room, std::uint64_t first_pictures) : room_{room}, first_pictures_{first_pictures} {}

  bool keep(std::uint64_t picture, std::uint64_t behind) override;

 private:
  std::uint64_t room_;
  std::uint64_t first_pictures_;
  double share_ = 1;  // that is kept
  double owed_ = 0;   // pictures that the share has made up
};

/// Counts what is left out.
class CountingChoice : public PictureChoice {
 public:
  CountingChoice(EvenChoice choice, const SegmentPlan& plan) : choice_{choice}, plan_{plan} {}
  /// The next pictures come so many pictures too late, whatever the encoders do: less for these leaves time to catch up.
  void source_is_late(std::uint64_t pictures) { late_ = pictures; }
  bool keep(std::uint64_t picture, std::uint64_t behind) override {
    const bool kept = choice_.keep(picture, std::max(behind, late_)) || plan_.starts_segment(picture);
    if (!kept) ++left_out_;
    return kept;
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  EvenChoice choice_;
  SegmentPlan plan_;
  std::uint64_t left_out_ = 0, late_ = 0;
};

}  // namespace tributary::segmenter
