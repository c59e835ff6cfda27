#pragma once

#include <limits>
#include <optional>
#include <pugixml.hpp>
#include <string_view>

#include "units/session_clock.hh"

namespace tributary {

/// The name of an element or attribute without its namespace's prefix.
std::string_view ttml_name(const char* qualified);
/// The value of the attribute of that local name; nothing: there is none.
std::optional<std::string_view> ttml_attribute(pugi::xml_node node, std::string_view name);

/// When an element is shown. `end` is kNever where nothing ends it.
struct TtmlInterval {
  static constexpr Duration kNever{std::numeric_limits<Duration::rep>::max() / 4};

  Duration begin{}, end = kNever;
  bool operator==(const TtmlInterval&) const = default;
};

/// Reads times of a document, whose root states what a frame and a tick are (TTML section 6.2).
class TtmlTimes {
 public:
  /// Throws TextError if the times are those of a clock.
  explicit TtmlTimes(pugi::xml_node root);

  /// "00:01:02.5", "00:01:02:12", "62.5s", "1500t" (section 10.3.1). Nothing for another text.
  std::optional<Duration> time_from(std::string_view text) const;
  /// The interval of an element in one that contains it. `from`: where its `begin` counts from, and its `end`.
  TtmlInterval of(pugi::xml_node node, const TtmlInterval& within, Duration from) const;

 private:
  double frame_rate_ = 30, tick_rate_ = 1;
};

}  // namespace tributary
