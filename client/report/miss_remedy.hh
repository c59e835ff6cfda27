#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "core/session_options.hh"
#include "report/link_service.hh"
#include "report/range_history.hh"

/// Remedies that would have brought a late segment in time, computed from the links' work in this session. Definitions:
/// docs/metrics.md.
namespace tributary::remedy {

/// All late ranges asked for over one other link at once, at the rate that this link had.
struct OtherLink {
  LinkId link{};
  DataRate rate;
  TimePoint arrival;
};

/// Fewer bytes: of each link's bytes only the first, which arrive when they really did.
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
  DataSize carried;  // bytes of the segment and later ones, received until the segment was due
  DataSize needed;   // bytes of the segment in the lowest quality
};

}  // namespace tributary::remedy

namespace tributary {

using Remedy = std::variant<remedy::OtherLink, remedy::LowerQuality, remedy::MoreBuffer, remedy::None>;

/// The largest addition to the buffer that is tried, in segments: the size of the default buffer.
inline constexpr std::uint32_t kMostMoreBuffer = 6;

/// Whether the effect of a larger buffer can be computed: playout begins with a full buffer, and the user neither
/// pauses nor seeks.
bool may_have_more_buffer(const SessionOptions& options);

/// The first remedy that suffices, in the order above, which is that of their cost. `ranges`: those of the segment.
Remedy find_remedy(const SessionRecord& record, const LinkService& service, const SessionOptions& options,
                   const SegmentRecord& segment, const std::vector<RangeHistory>& ranges);

}  // namespace tributary
