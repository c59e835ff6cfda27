#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace tributary::testing {

/// How many cases of a sweep a test tries: `some` with ./run test, `all` with ./run test --long, which sets
/// TRIBUTARY_LONG_TESTS.
inline int of_sweep(int some, int all) { return std::getenv("TRIBUTARY_LONG_TESTS") == nullptr ? some : all; }

/// The first of them, or all.
template <typename Case>
std::vector<Case> of_sweep(std::size_t some, std::vector<Case> all) {
  const int count = of_sweep(static_cast<int>(some), static_cast<int>(all.size()));
  all.resize(std::min(all.size(), static_cast<std::size_t>(count)), all.front());
  return all;
}

}  // namespace tributary::testing
