#pragma once

#include <string>

#include "report/session_record.hh"

namespace tributary {

/// A bar of 16 characters, so that a line with it fits into 80 columns, filled by the share.
std::string bar(double share);

/// What the link has brought in the last second, as far as it is known.
DataRate recent_rate(const SessionRecord& record, LinkId link);

}  // namespace tributary
