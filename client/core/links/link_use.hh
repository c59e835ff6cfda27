#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
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

/// The use of a link of this name.
using UseOfLink = std::function<LinkUse(const std::string& link)>;

/// All links may be used.
inline LinkUse use_any_link(const std::string& /*link*/) { return LinkUse::kUse; }

}  // namespace tributary
