#pragma once

#include "core/quality_adaptation.hh"

namespace tributary {

/// BBA-0 (Huang et al., SIGCOMM 2014): the buffer alone decides. Up to a reservoir of media the lowest
/// quality, from the end of a cushion on the highest, and between them a bitrate f(level) that rises
/// linearly. The quality stays until f has reached the bitrate of a neighbour; then it is the one that f has
/// just passed. The paper's reservoir and cushion are 90 s and 126 s of 240 s; here they are the same shares
/// of the highest level that a request can find, which is the capacity less a segment.
class BbaAdaptation : public QualityAdaptation {
 public:
  QualityChoice choose(const AdaptationInput& input, const SegmentTable& table) override;

 private:
  QualityIndex previous_{};
};

}  // namespace tributary
