#pragma once

#include <cstddef>
#include <string_view>

namespace tributary {

/// The columns of a terminal that a text without control characters takes. Some characters take two, and marks none.
std::size_t columns_of(std::string_view text);
/// The beginning of the text that fits into these columns.
std::string_view first_columns(std::string_view text, std::size_t columns);

}  // namespace tributary
