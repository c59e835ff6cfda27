#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dash/mpd.hh"

namespace tributary::dash {

/// The name by which people know a scheme of ContentProtection: "Widevine"; of an unknown one, its identifier.
std::string protection_name(std::string_view scheme);

/// What protects a representation: "encrypted (cenc), with keys from Widevine or PlayReady". Nothing: it is in the
/// clear.
std::optional<std::string> protection_of(const Representation& representation);

/// Why a period cannot be played: all of its pictures, or all of its sounds, are encrypted. The text says by what, and
/// what would be needed. A set in the clear beside encrypted ones can be played.
std::optional<std::string> why_unplayable(const Period& period);

}  // namespace tributary::dash
