#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

#include "units/session_clock.hh"

namespace tributary {

/// A text that is shown from `begin` to `end`, `end` excluded.
struct Cue {
  Duration begin{}, end{};
  std::string markup;  // of Pango: UTF-8, with the elements b, i, u and span

  bool operator==(const Cue&) const = default;
};

// The memory that one file may ask for.
inline constexpr std::size_t kMostCues = 100'000;
inline constexpr std::size_t kMostMarkup = 32'000'000;  // bytes of all its cues

/// A text that cannot be read. The message names the fault, and its place where there is one.
class TextError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tributary
