#pragma once

#include <string_view>
#include <vector>

#include "dash/url_query.hh"
#include "dash/xml/xml_element.hh"

namespace tributary::dash {

/// The scheme of properties that state queries.
constexpr std::string_view kUrlQueryScheme = "urn:mpeg:dash:urlparam:2014";

/// The queries that the properties of a set or representation state. Throws MpdError for an essential one that picks
/// from the parameters: a segment is asked for with all of them, or with none.
std::vector<UrlQuery> read_url_queries(const XmlElement& element);

}  // namespace tributary::dash
