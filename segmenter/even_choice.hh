#pragma once

#include "segmenter/video_ladder_encoder.hh"

namespace tributary::segmenter {

/// Leaves out pictures evenly when the encoders do not keep up: fewer and fewer are kept while the slowest is too far
/// behind, and more again when it has caught up. Memory and delay are bounded by that, and the timeline does not drift.
class EvenChoice : public PictureChoice {
 public:
  /// `room`: so many pictures an encoder may be behind. A source may begin with what has been waiting there: the first
  /// pictures are kept.
  EvenChoice(std::uint64_t room, std::uint64_t first_pictures)
      : room_{room}, first_pictures_{first_pictures} {}

  bool keep(std::uint64_t picture, std::uint64_t behind) override;

 private:
  std::uint64_t room_;
  std::uint64_t first_pictures_;
  double share_ = 1;  // that is kept
  double owed_ = 0;   // pictures that the share has made up
};

}  // namespace tributary::segmenter
