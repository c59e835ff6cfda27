#pragma once

#include <string>
#include <vector>

#include "playback/stream_status.hh"

namespace tributary::play {

/// Why things are as they are, for somebody who does not know how video comes over networks; in the user's language.

/// Of a link that does not work as it should: "The server refused the connection; tried again in 3.0 s."
std::string why_text(const LinkStatus& link);
/// Of the last stall: "Wi-Fi (wlan0) went away while it was bringing the next part. A lower quality, 360p, would have come in
/// time." `qualities`: their names.
std::string stall_text(const StreamStatus& status, const std::vector<std::string>& qualities);

}  // namespace tributary::play
