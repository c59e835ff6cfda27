#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace tributary {

/// What stands at a JSON pointer and must not, and what is said of it.
struct Refusal {
  const char* pointer;
  nlohmann::json value;
  const char* message;
};

/// What the error says when `read` reads the text, or "accepted".
template <typename Error, typename Read>
std::string refusal_of(const std::string& text, Read read) {
  try {
    read(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tributary
