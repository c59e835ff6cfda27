#pragma once

namespace tributary {

/// Values of plans that differ by less are equal: sums in another order differ by rounding.
inline constexpr double kSameValue = 1e-9;

}  // namespace tributary
