#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "dash/mpd.hh"
#include "proxy/rewriting/name_writer.hh"

namespace tributary::proxy {

/// A representation as it stands in an MPD.
struct RepresentationPlace {
  std::string place;  // "Period[0]/AdaptationSet[1]/Representation[0]", as in dash::Representation::place
  std::vector<Address> bases;
  std::vector<std::string> queries;  // that players add (dash/url_query.hh)
};

/// The same place of a representation that was read: without its line.
std::string_view place_in_text(const dash::Representation& representation);

struct RewrittenMpd {
  std::string text;
  bool dynamic = false;
  std::vector<RepresentationPlace> representations;  // files are announced at the rendition of that index
};

/// An MPD (ISO/IEC 23009-1) with local names: BaseURL of all levels, Location, addresses of segments, xlink:href, times of
/// UTCTiming that are fetched, queries of UrlQueryInfo. ContentSteering is left out, and so is PatchLocation: a patch would
/// bring addresses as they are. ContentProtection with all that is in it stays, as do elements, attributes and comments
/// that are not known. Throws ManifestError for a text that is no XML, and beyond a bound.
///
/// A template or list that several representations inherit, and that leads them to different places, is written in each
/// of them.
RewrittenMpd rewrite_mpd(const std::string& text, const Base& document, NameWriter& writer);

/// The same of periods or sets that stand in a file of their own (xlink:href). `around`: what their names are relative to.
std::string rewrite_mpd_part(const std::string& text, const std::vector<Base>& around, NameWriter& writer);

/// A rewritten MPD without those of its representations, by their number in the text. Throws ManifestError.
std::string without_representations(const std::string& text, const std::set<std::size_t>& left_out);

}  // namespace tributary::proxy
