#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presentation/presentation.hh"

namespace tributary {

/// The scheme of closed captions within pictures (DASH-IF IOP 4.3 section 6.4.4.3).
inline constexpr std::string_view kCaptionScheme = "urn:scte:dash:cc:cea-608:2015";

/// One of the captions within pictures.
struct CaptionChannel {
  std::string channel;   // "CC1"
  std::string language;  // as stated; empty: it is not

  bool operator==(const CaptionChannel&) const = default;
};

/// The value of the scheme: "CC1=eng;CC3=swe", or languages in the order of the fields, or nothing.
std::vector<CaptionChannel> caption_channels(std::string_view value);

/// The first channel of each field. Decoders show no others.
bool is_shown_channel(std::string_view channel);

/// The text that a channel is. Its name tells the channel where nothing else tells one from another.
Track caption_track(const CaptionChannel& channel);

}  // namespace tributary
