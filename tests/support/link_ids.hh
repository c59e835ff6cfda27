#pragma once

#include "units/identifiers.hh"

namespace tributary::testing {

inline constexpr LinkId kWifi{0}, kLte{1};
inline constexpr LinkId kA{0}, kB{1}, kC{2};  // for tests in which any ids will do

}  // namespace tributary::testing
