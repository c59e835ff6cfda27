#include "core/subsegments/dynamic_subsegments.hh"

#include <algorithm>
#include <cassert>

namespace tributary {
namespace {

// Of the share: a subsegment that would leave less of its block takes it as well. Estimates move between two
// requests, so the shares of a block rarely fill it, and a request for a few bytes keeps a link from being asked for
// more until it is nearly idle (the thesis' minimum segment problem, section 4.1).
constexpr double kSmallestShare = 0.1;

/// The link's share of the throughput of all links.
double share_of(LinkId link, std::span<const LinkEstimate> links) {
  const auto measured = std::count_if(links.begin(), links.end(), [](const LinkEstimate& l) { return l.throughput; });
  const auto equal_share = 1 / static_cast<double>(links.size());
  if (measured == 0) return equal_share;
  const DataRate mean = *aggregate(links) / static_cast<double>(measured);
  const auto it = std::find_if(links.begin(), links.end(), [&](const LinkEstimate& l) { return l.link == link; });
  assert(it != links.end());
  return it->throughput.value_or(mean) / mean * equal_share;
}

}  // namespace

DataSize DynamicSubsegments::next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) {
  const DataSize smallest = scale(share_, kSmallestShare);
  if (left_block_ <= DataSize{}) {
    const DataSize full = static_cast<std::int64_t>(links.size()) * share_;
    block_ = left < full + smallest ? left : full;
    left_block_ = block_;
  }
  const DataSize rest = std::min(left_block_, left);
  const DataSize wanted = std::max({scale(block_, share_of(link, links)), smallest, DataSize{1}});
  return rest - wanted < smallest ? rest : wanted;
}

}  // namespace tributary
