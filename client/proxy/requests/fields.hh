#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tributary::proxy {

/// The fields of a request or an answer, in their order.
using Fields = std::vector<std::pair<std::string, std::string>>;

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

/// Names of fields are compared in any case of letters.
inline bool is_same_name(std::string_view a, std::string_view b) { return std::ranges::equal(a, b, {}, lower, lower); }

/// The value of the first field of this name.
inline std::optional<std::string> field(const Fields& fields, std::string_view name) {
  for (const auto& [own, value] : fields) {
    if (is_same_name(own, name)) return value;
  }
  return {};
}

inline std::ptrdiff_t count_fields(const Fields& fields, std::string_view name) {
  return std::ranges::count_if(fields, [&](const auto& field) { return is_same_name(field.first, name); });
}

}  // namespace tributary::proxy
