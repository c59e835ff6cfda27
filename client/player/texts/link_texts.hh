#pragma once

#include <string>

#include "playback/status/stream_status.hh"

namespace tributary::play {

/// The window's texts about links, in the user's language.

/// "Wi-Fi", "Mobile network".
std::string kind_text(const std::string& link_kind);
const char* kind_icon(const std::string& link_kind);
/// "Wi-Fi · wlan0".
std::string link_title(const LinkStatus& link);
/// "Carries 62 % of the video", "Does not answer in time".
std::string activity_text(const LinkStatus& link);
/// The reason to ask about a spared link: "Mobile network · wwan0 is metered."
std::string cost_question_text(const LinkStatus& link);
/// The link's bytes, their cost, and the used part of its cap; empty for a free link.
std::string cost_text(const LinkStatus& link);
/// Whether the user should take notice of the activity.
bool is_trouble(LinkActivity activity);

/// "2 links carry this video together"
std::string summary_text(const StreamStatus& status);
/// "5.9 Mbit/s arrive · 11 s of video are ready"
std::string supply_text(const StreamStatus& status);
/// "48 s ago, for 2.3 s"
std::string stall_time_text(const StallStatus& stall, TimePoint now);

}  // namespace tributary::play
