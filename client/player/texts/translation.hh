#pragma once

#include <fmt/format.h>
#include <glib/gi18n.h>

#include <string>

namespace tributary::play {

/// A translated text with its {} filled in.
template <typename... Values>
std::string say(const char* translated, Values&&... values) {
  return fmt::format(fmt::runtime(translated), std::forward<Values>(values)...);
}

/// Finds the translations, beside the program or where it was installed, and sets the user's language.
void start_translation();

}  // namespace tributary::play
