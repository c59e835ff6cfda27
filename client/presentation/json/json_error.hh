#pragma once

#include <stdexcept>

namespace tributary {

/// An error in a JSON text, with its place: "tracks[2].bytes[17]: -5 is not a size".
class JsonError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tributary
