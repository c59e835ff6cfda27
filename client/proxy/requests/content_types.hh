#pragma once

#include <string>
#include <string_view>

namespace tributary::proxy {

inline constexpr const char* kUnknownType = "application/octet-stream";

/// Of a file of media at this address, by its ending; kUnknownType for others.
std::string content_type_of(std::string_view url);

}  // namespace tributary::proxy
