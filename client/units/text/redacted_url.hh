#pragma once

#include <string>
#include <string_view>

namespace tributary {

/// An address, and not the name of a local file.
inline bool is_address(std::string_view text) { return text.find("://") != std::string_view::npos; }

/// The URL without user and query, which may be secret (tokens, signatures): for display, logs and files. Any text is
/// allowed, so that a wrong URL can be shown as well.
std::string redacted(std::string_view url);

}  // namespace tributary
