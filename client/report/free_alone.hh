#pragma once

#include <optional>

#include "core/session_options.hh"
#include "report/session_record.hh"

namespace tributary {

/// How much longer a viewer would have waited, for the start and in stalls together, if the free links alone had
/// brought the played segments. Never negative.
struct WaitingAverted {
  Duration estimate{}, least{}, most{};
};

/// Plays the same segments in the same qualities again, with the same start-up and buffer, over the free links alone.
/// While a free link was busy, it has its rate of that moment; while idle, its average rate. After the end, the rate is
/// that of the session's last third.
///
/// The true rates are unknown, so there are bounds. For `least`, rates are a tenth higher; after the end, the larger of
/// the last third's rate and the average counts; two seconds are subtracted. For `most`, rates are a tenth lower, the
/// smaller one counts, and two seconds are added.
///
/// Nothing if a segment was not played, or if no free link has brought anything.
std::optional<WaitingAverted> waiting_averted(const SessionRecord& record, const SessionOptions& options);

}  // namespace tributary
