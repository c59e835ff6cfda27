#pragma once

#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// Whether an element that may stand elsewhere (xlink:href, ISO/IEC 23009-1 clause 5.5) is part of this MPD. Nothing is
/// fetched: `urn:mpeg:dash:resolve-to-zero:2013` takes the element away; with another address its own content stands,
/// as of an address that leads nowhere (clause 5.5.3). Throws MpdError if there is no content, either.
bool is_here(const XmlElement& element);

}  // namespace tributary::dash
