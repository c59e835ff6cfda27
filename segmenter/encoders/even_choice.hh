#pragma once

#include <algorithm>

#include "segmenter/encoders/video_ladder_encoder.hh"
#include "segmenter/plan/part_plan.hh"

namespace tributary::segmenter {

/// If the encoders do not keep up, leaves out pictures evenly. Keeps fewer and fewer while the slowest encoder is too
/// far behind, and more again when it has caught up. That bounds memory and delay, and the timeline does not drift.
class EvenChoice : public PictureChoice {
 public:
  /// `room`: number of pictures that an encoder may be behind. `first_pictures`: number of pictures to keep in any
  /// case, because a source may begin with a backlog.
  EvenChoice(std::uint64_t room, std::uint64_t first_pictures) : room_{room}, first_pictures_{first_pictures} {}

  bool keep(std::uint64_t picture, std::uint64_t behind) override;

 private:
  std::uint64_t room_;
  std::uint64_t first_pictures_;
  double share_ = 1;  // share of pictures to keep
  double owed_ = 0;   // sum of the shares, less the pictures kept
};

/// Counts the pictures that are left out, and keeps those that start a segment. If parts are files of their own, keeps as
/// many at the beginning of each as encoders may reorder, so that none is decoded without a picture.
class CountingChoice : public PictureChoice {
 public:
  CountingChoice(const EvenChoice& choice, const SegmentPlan& plan, const PartPlan& parts)
      : choice_{choice}, plan_{plan}, parts_{parts} {}
  /// The next pictures come late by `pictures` pictures, through no fault of the encoders. Leaving some out gives time
  /// to catch up.
  void source_is_late(std::uint64_t pictures) { late_ = pictures; }
  bool keep(std::uint64_t picture, std::uint64_t behind) override {
    const bool kept = choice_.keep(picture, std::max(behind, late_)) || is_needed(picture);
    if (!kept) ++left_out_;
    return kept;
  }
  std::uint64_t left_out() const { return left_out_; }

 private:
  static constexpr std::uint64_t kNeeded = 3;  // at the beginning of a part: encoders reorder by up to two pictures

  bool is_needed(std::uint64_t picture) const {
    return plan_.starts_segment(picture) || (parts_.divides() && picture < parts_.begin_of(picture) + kNeeded);
  }

  EvenChoice choice_;
  SegmentPlan plan_;
  PartPlan parts_;
  std::uint64_t left_out_ = 0, late_ = 0;
};

}  // namespace tributary::segmenter
