#pragma once

#include <string>
#include <string_view>

namespace tributary::transport {

/// The name of the file in a Content-Disposition (RFC 6266), as UTF-8: `filename*`, or else `filename`, whatever the type
/// of the disposition. Empty if there is none. The name is the server's word: it may be a path, or hold any character.
std::string disposition_file_name(std::string_view field);

}  // namespace tributary::transport
