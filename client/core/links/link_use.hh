#pragma once

#include <array>
#include <span>
#include <string_view>

#include "core/named_enum.hh"

namespace tributary {

/// How the user wants a link to be used.
enum class LinkUse {
  kUse,
  kWhenNeeded,  // only when the others cannot keep playout going
  kDoNotUse,
};

inline std::span<const std::string_view> names_of(LinkUse) {
  static constexpr std::array<std::string_view, 3> kNames{"use", "when-needed", "do-not-use"};
  return kNames;
}

}  // namespace tributary
