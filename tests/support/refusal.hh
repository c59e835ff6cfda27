#pragma once

#include <string>

namespace tributary::testing {

/// What the error says that `act` throws, or "accepted". Any other exception goes on.
template <typename Error, typename Act>
std::string refusal_by(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace tributary::testing
