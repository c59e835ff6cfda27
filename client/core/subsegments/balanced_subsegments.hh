#pragma once

#include "core/subsegments/subsegment_planner.hh"

namespace tributary {

/// Size of a request while little is under way on the link: half a subsegment, so that links end closely together.
constexpr DataSize balanced_request(DataSize subsegment_size) { return scale(subsegment_size, 0.5); }

/// Bytes a second of each link, in their order. A link that was not measured counts as an average one.
OfLinks<double> rates_of(std::span<const LinkEstimate> links);

/// When the bytes of a segment can be here, and which link brings how many.
struct BalancedShares {
  Duration end{};            // from now on
  OfLinks<DataSize> shares;  // in the order of the links
};

/// The shares of `left` bytes with which all links end together: at the time T for which the sum over all links of rate
/// * max(0, T - free_in) is `left`. A link that is free after T has no share, nor has one whose share is not worth a
/// request. An unmeasured link counts as an average one.
BalancedShares balanced_shares(DataSize left, std::span<const LinkEstimate> links);

/// Ranges with which all useful links end a segment together (docs/algorithms/scheduling.md). Each has the bytes of a
/// round trip on the link, but at least `size`: the rest can still go to another link. A link that would only delay the
/// segment gets no range of it.
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
