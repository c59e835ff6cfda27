#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tributary {

/// The text in UTF-8, where it is in UTF-16, with a byte order mark or without one in front of a character of ASCII. What is
/// cut off at the end counts for nothing. Nothing: the text is in another form.
std::optional<std::string> from_utf16(std::string_view text);

}  // namespace tributary
