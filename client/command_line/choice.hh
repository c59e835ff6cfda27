#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tributary {

/// An option with a few named values. The help lists the names, and so does the error for any other word.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Value& value,
                        const std::vector<std::pair<std::string, Value>>& choices, const std::string& help) {
  std::string names;
  for (const auto& choice : choices) names += (names.empty() ? "" : "|") + choice.first;
  return app
      .add_option_function<std::string>(
          name,
          [&value, choices, names, name](const std::string& word) {
            for (const auto& [known, means] : choices) {
              if (known != word) continue;
              value = means;
              return;
            }
            throw CLI::ValidationError(name, "\"" + word + "\": expected " + names);
          },
          help)
      ->option_text(names);
}

}  // namespace tributary
