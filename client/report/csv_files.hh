#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "report/session_record.hh"

namespace tributary {

/// Tables of one session, with a header line, "." as decimal mark, and no quoting. Times are seconds since the start of
/// the session. Names of columns end in their unit, and unknown values are empty. Columns: docs/metrics.md.
void write_segments_csv(std::ostream& out, const SessionRecord& record);
void write_requests_csv(std::ostream& out, const SessionRecord& record);

/// The capacity of a link at a moment; nothing if unknown (real links).
using CapacityOf = std::function<std::optional<DataRate>(LinkId, TimePoint)>;
void write_links_csv(std::ostream& out, const SessionRecord& record, const CapacityOf& capacity);

}  // namespace tributary
