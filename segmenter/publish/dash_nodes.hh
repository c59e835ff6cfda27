#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <type_traits>

/// Words of MPEG-DASH manifests.
namespace tributary::segmenter {

template <typename Value>
void set(pugi::xml_node node, const char* name, const Value& value) {
  if constexpr (std::is_convertible_v<Value, std::string>) {
    node.append_attribute(name).set_value(std::string{value}.c_str());
  } else {
    node.append_attribute(name).set_value(fmt::format("{}", value).c_str());
  }
}

/// Any web server tells the time in the header of any answer.
inline constexpr const char* kClockOfOrigin = "urn:mpeg:dash:utc:http-head:2014";

inline void add_descriptor(pugi::xml_node parent, const char* name, const char* scheme, std::string_view value) {
  pugi::xml_node descriptor = parent.append_child(name);
  set(descriptor, "schemeIdUri", scheme);
  set(descriptor, "value", value);
}

inline std::string duration_text(std::int64_t milliseconds) {
  return fmt::format("PT{}.{:03}S", milliseconds / 1000, milliseconds % 1000);
}

}  // namespace tributary::segmenter
