#pragma once

#include <string>
#include <vector>

#include "playback/status/stream_status.hh"

namespace tributary::play {

/// Reasons for troubles, in the user's language, for people who do not know how video comes over networks.

/// The reason why a link does not work as it should: "The server refused the connection; tried again in 3.0 s."
std::string why_text(const LinkStatus& link);
/// The reason of the last stall: "Wi-Fi (wlan0) went away while it was bringing the next part. A lower quality, 360p,
/// would have come in time." `qualities`: names by QualityIndex.
std::string stall_text(const StreamStatus& status, const std::vector<std::string>& qualities);

}  // namespace tributary::play
