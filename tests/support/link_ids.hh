#pragma once

#include "units/identifiers.hh"

namespace tributary::testing {

inline constexpr LinkId kWifi{0}, kLte{1};

}  // namespace tributary::testing
