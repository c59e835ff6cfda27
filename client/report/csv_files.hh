#pragma once

#include <functional>
#include <iosfwd>
#include <optional>

#include "report/session_record.hh"

namespace tributary {

/// Tables of one session. Always a header line, "." as decimal mark, no quoting, seconds since the start of the session, the
/// unit in the name; what is not known is empty. Columns: docs/metrics.md.
void write_segments_csv(std::ostream& out, const SessionRecord& record);
void write_requests_csv(std::ostream& out, const SessionRecord& record);

/// The capacity of a link at a moment, where it is known (modelled links).
using CapacityOf = std::function<std::optional<DataRate>(LinkId, TimePoint)>;
void write_links_csv(std::ostream& out, const SessionRecord& record, const CapacityOf& capacity);

}  // namespace tributary
