#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/session_options.hh"
#include "report/session_record.hh"

namespace tributary {

/// The reason why a segment missed its deadline, or was skipped, and the remedy that would have avoided the miss.
struct MissExplanation {
  SegmentIndex segment{};
  bool skipped = false;
  Duration miss{};                // 0 for a skipped segment
  std::string_view avoided_by{};  // "link", "quality", "buffer" or "nothing"; empty for a skipped segment
  std::string text{};             // one line

  bool operator==(const MissExplanation&) const = default;
};

/// One for each deadline miss and each skipped segment, in the order of segments.
std::vector<MissExplanation> explain_misses(const SessionRecord& record, const SessionOptions& options);

/// Explains the miss of one segment. Nothing if the segment was not missed, or is not in the record.
std::optional<MissExplanation> explain_miss(const SessionRecord& record, const SessionOptions& options,
                                            SegmentIndex segment);

/// The explanation of the longest miss; of equally long ones the first. Nothing without misses.
std::optional<MissExplanation> worst_miss(const std::vector<MissExplanation>& misses);

/// Writes the table of misses. Columns: docs/metrics.md.
void write_misses_csv(std::ostream& out, const std::vector<MissExplanation>& misses);

}  // namespace tributary
