#pragma once

#include <optional>

#include "core/session_options.hh"
#include "report/session_record.hh"

namespace tributary {

/// How much longer somebody would have waited, for the start and in stalls together, if the links that cost nothing had brought by
/// themselves what was played. Never less than nothing.
struct WaitingAverted {
  Duration estimate{}, least{}, most{};
};

/// The same segments in the same qualities, by the same start-up and buffer, at the rates that the free links had from moment to
/// moment while they were busy, on average where they were not, and after the end as in the last third. What they would have done
/// then is not known: `least` and `most` are for rates higher and lower by a tenth, after the end for the higher and the lower of
/// the last third's and the average, and two seconds beside that.
/// Nothing if not all that there is to play was played, or no free link has brought anything.
std::optional<WaitingAverted> waiting_averted(const SessionRecord& record, const SessionOptions& options);

}  // namespace tributary
