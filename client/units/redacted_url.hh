#pragma once

#include <string>
#include <string_view>

namespace tributary {

/// Not a name of a file here.
inline bool is_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

/// A URL as it may be shown, logged and written to files: without what is secret in many, the user and the query (tokens,
/// signatures). Takes any text, so that what is no URL can be shown as well.
std::string redacted(std::string_view url);

}  // namespace tributary
