#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/session_options.hh"
#include "report/session_record.hh"

namespace tributary {

/// Why a segment missed its deadline, or was skipped, and what would have avoided it.
struct MissExplanation {
  SegmentIndex segment{};
  bool skipped = false;
  Duration miss{};                // nothing for a skipped one
  std::string_view avoided_by{};  // "link", "quality", "buffer" or "nothing"; empty for a skipped one
  std::string text{};             // one line

  bool operator==(const MissExplanation&) const = default;
};

/// One for each deadline miss and each skipped segment, in the order of segments.
std::vector<MissExplanation> explain_misses(const SessionRecord& record, const SessionOptions& options);

/// The same of one segment. Nothing if it was not missed, or is not remembered.
std::optional<MissExplanation> explain_miss(const SessionRecord& record, const SessionOptions& options,
                                            SegmentIndex segment);

/// That of the longest miss; of equals the first. Nothing without misses.
std::optional<MissExplanation> worst_miss(const std::vector<MissExplanation>& misses);

/// The table of these: docs/metrics.md.
void write_misses_csv(std::ostream& out, const std::vector<MissExplanation>& misses);

}  // namespace tributary
