#include "core/rules.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ranges>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace tributary {
namespace {

constexpr std::array<std::pair<std::string_view, bool Rules::*>, 9> kRules{
    {{"rescue", &Rules::rescue},
     {"take-over", &Rules::take_over},
     {"sizing", &Rules::sizing},
     {"several-segments", &Rules::several_segments},
     {"spread", &Rules::spread},
     {"look-ahead", &Rules::look_ahead},
     {"switch-bound", &Rules::switch_bound},
     {"size-questions", &Rules::size_questions},
     {"lowering", &Rules::lowering}}};

}  // namespace

Rules Rules::without(const std::string& names) {
  Rules rules;
  std::istringstream in{names};
  for (std::string name; std::getline(in, name, ',');) {
    const auto found = std::ranges::find(kRules, name, [](const auto& rule) { return rule.first; });
    if (found == kRules.end()) {
      throw std::invalid_argument(
          fmt::format("without \"{}\": expected {}, with commas between several", name, Rules::names()));
    }
    rules.*(found->second) = false;
  }
  return rules;
}

std::string Rules::names() { return fmt::format("{}", fmt::join(kRules | std::views::keys, ", ")); }

}  // namespace tributary
