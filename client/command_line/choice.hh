#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "command_line/suggestion.hh"

namespace tributary {

/// "h264|hevc|av1"
inline std::string one_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "|") + word;
  return text;
}

/// The text about a word that is none of these.
inline std::string none_of(const std::string& word, const std::vector<std::string>& known) {
  return "\"" + word + "\": expected " + one_of(known) + suggestion(word, known);
}

/// Lets an option have these words only. The help lists them, and so does the error for any other word.
inline CLI::Option* allow_words(CLI::Option* option, const std::vector<std::string>& words) {
  const auto refusal = [words](const std::string& word) {
    return std::ranges::count(words, word) > 0 ? "" : none_of(word, words);
  };
  return option->check(CLI::Validator{refusal, ""})->option_text(one_of(words));
}

/// The values of an enum and their names, which names_of() beside the enum lists in their order.
template <typename Enum>
std::vector<std::pair<std::string, Enum>> choices_of() {
  std::vector<std::pair<std::string, Enum>> choices;
  for (const auto name : names_of(Enum{})) choices.emplace_back(name, static_cast<Enum>(choices.size()));
  return choices;
}

/// An option with a few named values. The help lists the names, and so does the error for any other word.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& help) {
  std::vector<std::string> names;
  for (const auto& choice : choices) names.push_back(choice.first);
  return app
      .add_option_function<std::string>(
          name,
          [&value, choices, names, name](const std::string& word) {
            for (const auto& [known, means] : choices) {
              if (known != word) continue;
              value = means;
              return;
            }
            throw CLI::ValidationError(name, none_of(word, names));
          },
          help)
      ->option_text(one_of(names));
}

}  // namespace tributary
