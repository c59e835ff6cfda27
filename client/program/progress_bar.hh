#pragma once

#include <string>

#include "report/session_record.hh"

namespace tributary {

/// A bar of 16 characters, filled by the share (0 to 1). Lines with it fit into 80 columns.
std::string bar(double share);

/// The rate of the link in the last second, by its samples in the record.
DataRate recent_rate(const SessionRecord& record, LinkId link);

}  // namespace tributary
