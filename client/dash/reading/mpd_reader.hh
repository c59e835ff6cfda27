#pragma once

#include <string_view>

#include "dash/mpd.hh"
#include "dash/mpd_error.hh"

namespace tributary::dash {

/// Reads an MPD (ISO/IEC 23009-1) in UTF-8. Elements and attributes that are not known are passed over;
/// docs/manifests.md lists all. Takes time and memory in proportion to the text (bounds.hh). Throws MpdError.
/// `by_parts`: of sets with the same media, those are read whose segments come part by part; else the others.
Mpd read_mpd(std::string_view text, bool by_parts = false);

/// Whether a document that begins so is an MPD: its root element, after a byte order mark, declarations, comments and
/// blanks, is named MPD, with any prefix. A document whose root lies beyond these bytes is none.
bool looks_like_mpd(std::string_view first_bytes);

}  // namespace tributary::dash
