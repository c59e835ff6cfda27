#pragma once

#include <stdexcept>

namespace tributary::dash {

/// An MPD that cannot be played as it is written. The text names the place:
/// `line 14, Period[0]/AdaptationSet[1]/SegmentTemplate: "media" has no $Number$ or $Time$`.
class MpdError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An MPD beyond a bound of the whole text: it is refused, whichever of its elements could be left out.
class MpdTooLarge : public MpdError {
 public:
  using MpdError::MpdError;
};

}  // namespace tributary::dash
