#pragma once

#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Blocks of (number of links) * `share`, of which each link gets the part that its throughput is of all (thesis
/// section 4.5, Algorithm 3). The last block is the rest of the segment, divided in the same way. No subsegment is
/// smaller than a tenth of `share`, unless the segment is. An unmeasured link counts as an average one; before the
/// first measurement all are equal.
class DynamicSubsegments : public SubsegmentPlanner {
 public:
  explicit DynamicSubsegments(DataSize share) : share_{share} {}

  void segment_started() override { left_block_ = {}; }
  DataSize next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) override;
  void taken(DataSize size) override { left_block_ -= size; }

 private:
  DataSize share_;
  DataSize block_;
  DataSize left_block_;
};

}  // namespace tributary
