#pragma once

#include <optional>

#include "dash/mpd.hh"

namespace tributary::dash {

/// The number of channels that an AudioChannelConfiguration states: as a number, as a configuration of
/// ISO/IEC 23091-3, or as the mask of speakers of ETSI TS 102 366. Nothing: the scheme or value is not known.
std::optional<int> channel_count(const Descriptor& configuration);

}  // namespace tributary::dash
