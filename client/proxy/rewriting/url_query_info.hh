#pragma once

#include <optional>
#include <pugixml.hpp>
#include <string>

#include "proxy/rewriting/local_names.hh"

namespace tributary::proxy {

/// Whether the element states a query that players add to addresses (ISO/IEC 23009-1 Annex I).
bool is_url_query_info(pugi::xml_node element);

/// Puts the number of the query in place of it, and gives the query; `of_mpd` is that of the address of the MPD. Nothing:
/// the element adds none, or one that only the player knows.
std::optional<std::string> rewrite_url_query_info(pugi::xml_node element, const std::string& of_mpd, LocalNames& names);

}  // namespace tributary::proxy
