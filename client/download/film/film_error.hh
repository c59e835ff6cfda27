#pragma once

#include <stdexcept>

namespace tributary {

/// The segments cannot become one film. The text names the track, and the reason.
class FilmError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tributary
