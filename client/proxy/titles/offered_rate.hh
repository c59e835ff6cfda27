#pragma once

#include <optional>

#include "playback/status/stream_status.hh"
#include "units/data_rate.hh"

namespace tributary::proxy {

/// What a player is told that it can have, and is sent: what free links bring, and as much as is spent for. `spent_for`: a
/// bitrate; nothing: bytes are paid for only where playout would stall. Nothing: no link was measured.
std::optional<DataRate> offered_rate(const StreamStatus& status, std::optional<DataRate> spent_for);

}  // namespace tributary::proxy
