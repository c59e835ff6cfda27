#pragma once

#include <cstddef>

#include "presentation/resource.hh"
#include "units/session_clock.hh"

namespace tributary {

/// A piece of a file that grows, as it is asked for.
struct AskedPiece {
  FilePiece place;
  std::size_t track = 0;
  Duration lasts{};
};

}  // namespace tributary
