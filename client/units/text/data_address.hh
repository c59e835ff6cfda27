#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "units/byte_range.hh"

namespace tributary {

/// Whether the address holds the file itself (RFC 2397): "data:application/octet-stream;base64,AAEC".
bool is_data_address(std::string_view url);

/// The bytes of such a file. Nothing, if they cannot be read.
std::optional<std::string> data_of(std::string_view url);

/// Those of them that are in the range; nothing in place of one: all of them.
std::optional<std::string> data_of(std::string_view url, const std::optional<ByteRange>& range);

}  // namespace tributary
