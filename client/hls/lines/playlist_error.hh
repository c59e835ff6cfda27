#pragma once

#include <stdexcept>

namespace tributary::hls {

/// A playlist that is refused, with the place: "line 12, EXT-X-BYTERANGE: "x" is not a range "length@offset"".
class PlaylistError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tributary::hls
