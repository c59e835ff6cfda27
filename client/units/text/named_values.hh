#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace tributary {

/// A row of a table: a value, and the name that a file or a person gives it.
template <typename Value>
struct Named {
  std::string_view name;
  Value value;
};

/// The value with this name; nothing if the table has none.
template <typename Value, std::size_t kRows>
constexpr std::optional<Value> value_named(const std::array<Named<Value>, kRows>& table, std::string_view name) {
  for (const Named<Value>& row : table) {
    if (row.name == name) return row.value;
  }
  return std::nullopt;
}

}  // namespace tributary
