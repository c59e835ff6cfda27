#pragma once

#include <memory>
#include <optional>
#include <span>

#include "core/link_ids.hh"
#include "core/session_options.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"

namespace tributary {

/// What is known of a link that can be used now.
struct LinkEstimate {
  LinkId link{};
  std::optional<DataRate> throughput;
  Duration round_trip{};    // 0 if it was never measured
  Duration free_in{};       // when the first byte of a new request is to be expected at the earliest
  Duration answer_delay{};  // AnswerDelay
  bool remembered = false;  // all that is known is of an earlier session
};

using LinkEstimates = OfLinks<LinkEstimate>;

/// The sum over all links that have been measured; nothing if none has.
std::optional<DataRate> aggregate(std::span<const LinkEstimate> links);

/// Decides how many bytes of a segment the next request asks for.
class SubsegmentPlanner {
 public:
  virtual ~SubsegmentPlanner() = default;

  /// A new segment begins: subsegments do not reach over its end.
  virtual void segment_started() = 0;
  /// The size of the next subsegment of the segment, of which `left` has not been requested yet, over `link`,
  /// which is one of `links`. From 1 byte to `left`, which is positive; nothing if the segment is here sooner without
  /// the link. The caller may cut it where a file ends, and says in taken() what it did request.
  virtual DataSize next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) = 0;
  virtual void taken(DataSize size) = 0;
  /// When the links are free after they have brought `left` bytes as this planner divides them.
  virtual void left_to_others(DataSize /*left*/, std::span<LinkEstimate> /*links*/) const {}
};

std::unique_ptr<SubsegmentPlanner> make_planner(SubsegmentApproach approach, DataSize subsegment_size);

}  // namespace tributary
