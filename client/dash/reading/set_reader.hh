#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dash/mpd.hh"
#include "dash/reading/stated_segments.hh"
#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// What has been read of the whole MPD.
struct ReadSoFar {
  std::size_t representations = 0;
  std::size_t inherited = 0;  // bytes of all representations
  std::vector<std::string> left_out;
};

/// What a set inherits from the levels around it.
struct SetContext {
  const StatedSegments& segments;  // of the period
  Duration availability_offset;    // of the BaseURLs around the set
  bool by_parts;                   // see read_mpd
  ReadSoFar& so_far;
};

/// The BaseURLs of a level, in their order.
BaseUrls read_base_urls(const XmlElement& level);
/// Of the preferred BaseURL; 0 if there is none.
Duration availability_offset(const BaseUrls& urls);
/// The children of that name, which have `schemeIdUri` and `value`.
std::vector<Descriptor> read_descriptors(const XmlElement& element, std::string_view name);

/// Reads the AdaptationSets of a period. Those that cannot be played are left out, and so are such representations:
/// `so_far.left_out` says why. Throws MpdError where a fault leaves no picture, no sound or no set at all, and
/// MpdTooLarge.
std::vector<AdaptationSet> read_sets(const XmlElement& period, const SetContext& context);

}  // namespace tributary::dash
