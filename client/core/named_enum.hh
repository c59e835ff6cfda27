#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace tributary {

/// An enum whose values have names: options, traces and reports show these. Beside the enum, names_of() lists the names
/// in the order of the values.
template <typename Enum>
concept NamedEnum = std::is_enum_v<Enum> && requires(Enum value) {
  { names_of(value) } -> std::convertible_to<std::span<const std::string_view>>;
};

/// Empty for what is no value of the enum.
template <NamedEnum Enum>
constexpr std::string_view name_of(Enum value) {
  const std::span<const std::string_view> names = names_of(value);
  const auto index = static_cast<std::size_t>(value);
  return index < names.size() ? names[index] : std::string_view{};
}

}  // namespace tributary
