#pragma once

#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Subsegments of a fixed size (thesis section 4.4).
class StaticSubsegments : public SubsegmentPlanner {
 public:
  explicit StaticSubsegments(DataSize size) : size_{size} {}

  void segment_started() override {}
  DataSize next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) override;
  void taken(DataSize) override {}

 private:
  DataSize size_;
};

}  // namespace tributary
