#pragma once

namespace tributary {

/// With each segment, this much is left of the logarithm of a rate over that of the long run.
inline constexpr double kReturn = 0.8;

/// A rate that is another one now than in the long run, and returns to that.
struct ReturningRate {
  double now = 0, long_run = 0;  // bytes a second, above 0
  double segment = 1;            // s

  /// How long these bytes take, in seconds.
  double takes(double bytes) const;
};

}  // namespace tributary
