#pragma once

#include <cstdio>

namespace tributary {

/// Forgets the measured rates of all networks, and says so. The counts of metered bytes stay. Throws std::exception.
void forget_networks(std::FILE* say_to);

}  // namespace tributary
