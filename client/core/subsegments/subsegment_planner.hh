#pragma once

#include <optional>
#include <span>

#include "core/links/link_ids.hh"
#include "core/subsegments/approach.hh"
#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/identifiers.hh"

namespace tributary {

/// Fewer bytes are not worth a request, unless they are all that is left.
inline constexpr DataSize kLeastRequest{10'000};

/// Known of a usable link.
struct LinkEstimate {
  LinkId link{};
  std::optional<DataRate> throughput;
  Duration round_trip{};    // 0 if it was never measured
  Duration free_in{};       // the earliest first byte of a new answer
  Duration answer_delay{};  // AnswerDelay
  bool remembered = false;  // rate and round trip are of an earlier session
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
  /// Size of the next subsegment over `link`, which is one of `links`, when `left` bytes of the segment are not
  /// requested yet. From 1 byte to `left`, which is positive; zero if the segment is here sooner without the link. The
  /// caller may cut it where a file ends, and says in taken() how many bytes it requested.
  virtual DataSize next_size(DataSize left, LinkId link, std::span<const LinkEstimate> links) = 0;
  virtual void taken(DataSize size) = 0;
  /// Moves free_in of the links to when they have brought `left` bytes, as this planner divides them.
  virtual void left_to_others(DataSize /*left*/, std::span<LinkEstimate> /*links*/) const {}
};

}  // namespace tributary
