#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

std::optional<DataRate> aggregate(std::span<const LinkEstimate> links) {
  std::optional<DataRate> sum;
  for (const LinkEstimate& link : links) {
    if (link.throughput) sum = sum.value_or(DataRate{}) + *link.throughput;
  }
  return sum;
}

}  // namespace tributary
