#pragma once

#include <string>
#include <string_view>

namespace tributary {

bool is_utf8(std::string_view text);

/// Text of others, made fit for one line: UTF-8 with wrong bytes replaced, and a space for each control character.
std::string as_one_line(std::string_view text);

/// UTF-8 with small letters for the capital ones of Latin, Greek and Cyrillic, as far as these need no table. For comparisons
/// of what a person typed.
std::string without_case(std::string_view text);

}  // namespace tributary
