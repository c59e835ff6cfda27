#pragma once

#include "core/subsegment_planner.hh"

namespace tributary {

/// The size of a request while little is under way on the link: half a subsegment, so that links end closely together.
constexpr DataSize balanced_request(DataSize subsegment_size) { return scale(subsegment_size, 0.5); }

/// When the bytes of a segment can be here, and who brings them.
struct BalancedShares {
  Duration end{};            // from now on
  OfLinks<DataSize> shares;  // in the order of the links
};

/// The shares of `left` bytes with which all links that take part end together: at the time T for which the sum over all links
/// of rate * max(0, T - free_in) is `left`. A link that could not begin before T has no share, and neither has one whose share
/// would not be worth a request. A link that has not been measured counts as an average one.
BalancedShares balanced_shares(DataSize left, std::span<const LinkEstimate> links);

/// Ranges that let all useful links end a segment together (docs/design.md). Each is as much as the link carries in a round
/// trip, or `size` (balanced_request) if that is more: what is not asked for yet can still go to another link. A link that would only delay
/// the segment gets none of it.
class BalancedSubsegments : public SubsegmentPlanner {
 public:
  explicit BalancedSubsegments(DataSize size) : size_{size} {}

  void segment_started() override {}
  DataSize next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) override;
  void taken(DataSize) override {}
  void left_to_others(DataSize left, std::span<LinkEstimate> links) const override;

 private:
  DataSize largest(const LinkEstimate& link) const;

  DataSize size_;
};

}  // namespace tributary
