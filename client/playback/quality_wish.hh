#pragma once

#include <optional>

#include "units/identifiers.hh"

namespace tributary {

/// What the user wants of the qualities; nothing: the adaptation decides.
struct QualityWish {
  std::optional<QualityIndex> always;
  int most_lines = 0;  // else the adaptation decides among qualities with no more lines than these; 0: among all
};

}  // namespace tributary
