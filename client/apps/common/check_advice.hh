#pragma once

#include <fmt/format.h>

#include <string>

namespace tributary {

/// What to do about a stream or a download that ended early, though neither by its user nor because links are used up.
inline std::string check_advice(const std::string& url) {
  return fmt::format("what each link can do there: tributary-links --check {}", url);
}

}  // namespace tributary
