#pragma once

#include <string>
#include <string_view>

namespace tributary {

/// "%2B" for "+": all but letters, digits and "-._~" (RFC 3986 section 2).
std::string percent_encoded(std::string_view bytes);
/// The reverse. What is no such escape stays as it is.
std::string percent_decoded(std::string_view text);

}  // namespace tributary
