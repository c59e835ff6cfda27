#include "core/subsegments/subsegment_planner.hh"

#include "core/subsegments/balanced_subsegments.hh"
#include "core/subsegments/dynamic_subsegments.hh"
#include "core/subsegments/static_subsegments.hh"

namespace tributary {

std::optional<DataRate> aggregate(std::span<const LinkEstimate> links) {
  std::optional<DataRate> sum;
  for (const LinkEstimate& link : links) {
    if (link.throughput) sum = sum.value_or(DataRate{}) + *link.throughput;
  }
  return sum;
}

std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size) {
  if (approach == SubsegmentApproach::kStatic) return std::make_unique<StaticSubsegments>(subsegment_size);
  if (approach == SubsegmentApproach::kBalanced)
    return std::make_unique<BalancedSubsegments>(balanced_request(subsegment_size));
  return std::make_unique<DynamicSubsegments>(subsegment_size);
}

}  // namespace tributary
