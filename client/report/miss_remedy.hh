#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/session_options.hh"
#include "report/link_service.hh"
#include "report/range_history.hh"

/// What would have brought a late segment in time, computed from what the links did in this session. docs/metrics.md has
/// the definitions.
namespace tributary::remedy {

/// All late ranges over one other link, right away, at the rate that it had.
struct OtherLink {
  LinkId link{};
  DataRate rate;
  TimePoint arrival;
};

/// Fewer bytes: of what each link was asked for, the first part, which came when it came.
struct LowerQuality {
  QualityIndex quality{};
  DataSize size;
  TimePoint arrival;
};

/// The same transfers, requested as early as a larger buffer allows, played after a longer start-up.
struct MoreBuffer {
  std::uint32_t segments = 0;
  Duration longer_startup{};
  Duration in_time_by{};
};

/// None of the above.
struct None {
  DataSize carried;  // until the segment was due, of it and those after it
  DataSize needed;   // by the lowest quality
};

}  // namespace tributary::remedy

namespace tributary {

using Remedy = std::variant<remedy::OtherLink, remedy::LowerQuality, remedy::MoreBuffer, remedy::None>;

/// How many more segments of buffer are looked at: as many as the default buffer has.
inline constexpr std::uint32_t kMostMoreBuffer = 6;

/// What a larger buffer would have done can be computed: it would have been filled before playout began, and nobody has
/// paused or sought meanwhile.
bool may_have_more_buffer(const SessionOptions& options);

/// The first that suffices, in the order above: the cheapest. `ranges` are those of the segment.
Remedy find_remedy(const SessionRecord& record, const LinkService& service, const SessionOptions& options,
                   const SegmentRecord& segment, const std::vector<RangeHistory>& ranges);

}  // namespace tributary
