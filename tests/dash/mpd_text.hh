#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "dash/reading/mpd_reader.hh"
#include "support/refusal.hh"

namespace tributary::dash {

/// The text of an MPD: its attributes, and its content from line 2 on.
inline std::string mpd_text(std::string_view attributes, std::string_view content) {
  return fmt::format("<MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\" {}>\n{}\n</MPD>\n", attributes, content);
}

/// A static one of ten seconds, with one representation: `addressing` stands in its set, in line 5.
inline std::string static_text(std::string_view addressing) {
  return mpd_text("type=\"static\" mediaPresentationDuration=\"PT10S\"",
                  fmt::format("<Period>\n<AdaptationSet mimeType=\"video/mp4\">\n"
                              "<Representation id=\"v\" bandwidth=\"1000000\" codecs=\"avc1.64001f\"/>\n"
                              "{}\n</AdaptationSet>\n</Period>",
                              addressing));
}

/// What the MpdError says, or "accepted".
inline std::string refusal_of(const std::string& text) {
  return testing::refusal_by<MpdError>([&] { read_mpd(text); });
}

/// The first representation of the first set of a period.
inline const Representation& first_representation(const Mpd& mpd, std::size_t period = 0) {
  return mpd.periods.at(period).sets.at(0).representations.at(0);
}

}  // namespace tributary::dash
