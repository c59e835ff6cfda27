#pragma once

#include <string>
#include <string_view>

namespace tributary::segmenter {

bool is_utf8(std::string_view text);

/// What others wrote, as it may stand in a line that is shown: UTF-8, what is none replaced, and a space for each control
/// character.
std::string as_one_line(std::string_view text);

}  // namespace tributary::segmenter
