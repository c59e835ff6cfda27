#pragma once

#include <CLI/CLI.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace tributary {

/// Calls `read`. If it throws std::invalid_argument, its text is the error of the option of that name.
template <typename Read>
void read_for(const std::string& name, Read read) {
  try {
    read();
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError(name, error.what());
  }
}

/// An option whose text `read` turns into a value, or refuses with std::invalid_argument.
template <typename Value, typename Read>
CLI::Option* add_read(CLI::App& app, const std::string& name, Value& value, Read read, const std::string& help) {
  return app
      .add_option_function<std::string>(
          name, [&value, read, name](const std::string& text) { read_for(name, [&] { value = read(text); }); }, help)
      ->option_text("TEXT");
}

/// An option or argument that may stand several times: each of its texts becomes one more of the values.
template <typename Value, typename Read>
CLI::Option* add_each(CLI::App& app, const std::string& name, std::vector<Value>& values, Read read,
                      const std::string& help) {
  const auto take = [&values, read, name](const std::vector<std::string>& texts) {
    read_for(name, [&] {
      for (const std::string& text : texts) values.push_back(read(text));
    });
  };
  return app.add_option_function<std::vector<std::string>>(name, take, help)->option_text("TEXT");
}

}  // namespace tributary
