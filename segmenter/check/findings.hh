#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tributary::segmenter {

/// The faults that a check has found, each with its place: "low/00002.m4s: 1234 bytes, but the index says 1235".
class Findings {
 public:
  template <typename... Values>
  void add(std::string_view place, fmt::format_string<Values...> what, Values&&... values) {
    list_.push_back(fmt::format("{}: {}", place, fmt::format(what, std::forward<Values>(values)...)));
  }
  /// Adds a finding if a manifest states another value than the true one.
  template <typename Stated, typename True>
  void compare(std::string_view place, std::string_view name, const Stated& stated, const True& value) {
    if (stated != value) add(place, "{} is {}, but should be {}", name, stated, value);
  }
  /// Allows 1 % of difference, because rates need not be measured in exactly our way.
  void compare_rate(std::string_view place, std::string_view name, double stated, double value) {
    if (!(std::abs(stated - value) <= 0.01 * value)) {
      add(place, "{} is {:.0f} bit/s, but the files have {:.0f} bit/s", name, stated, value);
    }
  }

  const std::vector<std::string>& list() const { return list_; }

 private:
  std::vector<std::string> list_;
};

}  // namespace tributary::segmenter
