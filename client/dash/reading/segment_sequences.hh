#pragma once

#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// Whether the parts of a set's segments begin with a picture that needs none before it.
bool parts_begin_anew(const XmlElement& set);

/// Segments that are sequences of files ($SubNumber$, "urn:mpeg:dash:ssr:2023") are played file by file. Such a set of
/// pictures is left out where another one has whole segments. Where no quality can follow another within a segment, the
/// least one is played. Returns what is left out, and why. None of the sets may be without representations.
/// `by_parts`: the sets with whole segments are left out instead, of pictures and of each sound, and nothing is told of them.
std::vector<std::string> leave_out_sequences(std::vector<AdaptationSet>& sets, bool by_parts);

}  // namespace tributary::dash
