#pragma once

#include <fmt/format.h>

#include <string>

namespace tributary {

/// Advice for a stream or download that ended early, except if the user ended it or the links are used up.
inline std::string check_advice(const std::string& url) {
  return fmt::format("what each link can do there: tributary-links --check {}", url);
}

}  // namespace tributary
