#pragma once

#include <cstdint>

namespace tributary {

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). The same seed gives the same numbers on every machine; the
/// distributions of the standard library do not promise that.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_{seed} {}

  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  /// Uniform in [0, 1), in steps of 2^-53.
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }

  /// Uniform in {0, ..., count - 1}.
  std::uint32_t below(std::uint32_t count) { return static_cast<std::uint32_t>(((next() >> 32) * count) >> 32); }

 private:
  std::uint64_t state_;
};

}  // namespace tributary
