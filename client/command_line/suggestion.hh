#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tributary {

/// The known word that the user probably meant: the one with the fewest changed, missing, added or swapped letters, if
/// those are at most a third of the word. Ties go to the first.
std::optional<std::string> meant_by(std::string_view word, std::span<const std::string> known);

/// "; did you mean live-buffered?", or nothing.
std::string suggestion(std::string_view word, std::span<const std::string> known);

}  // namespace tributary
