#pragma once

#include "core/qualities/quality_adaptation.hh"

namespace tributary {

/// BBA-0 (Huang et al., SIGCOMM 2014): the buffer alone decides. Up to a reservoir of media the lowest quality is
/// taken, from the end of a cushion on the highest. Between them a bitrate f(level) rises linearly: the quality stays
/// until f reaches the bitrate of a neighbour, and then becomes the one that f has just passed. Reservoir and cushion
/// are 90 s and 126 s of 240 s in the paper, and the same shares here of the capacity less a segment.
class BbaAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;

 private:
  QualityIndex previous_{};
};

}  // namespace tributary
