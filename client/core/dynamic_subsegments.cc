#include "core/dynamic_subsegments.hh"

#include <algorithm>
#include <cassert>

namespace tributary {
namespace {

/// The link's share of the throughput of all links.
double share_of(LinkId link, std::span<const LinkEstimate> links) {
  const auto measured =
      std::count_if(links.begin(), links.end(), [](const LinkEstimate& l) { return l.throughput; });
  const auto equal_share = 1 / static_cast<double>(links.size());
  if (measured == 0) return equal_share;
  const DataRate mean = *aggregate(links) / static_cast<double>(measured);
  const auto it =
      std::find_if(links.begin(), links.end(), [&](const LinkEstimate& l) { return l.link == link; });
  assert(it != links.end());
  return it->throughput.value_or(mean) / mean * equal_share;
}

}  // namespace

DataSize DynamicSubsegments::next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) {
  const DataSize block = static_cast<std::int64_t>(links.size()) * share_;
  if (left_block_ <= DataSize{}) left_block_ = std::min(block, left);
  const DataSize wanted = std::max(scale(block, share_of(link, links)), DataSize{1});
  return std::min({wanted, left_block_, left});
}

}  // namespace tributary
