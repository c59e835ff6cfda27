#pragma once

#include <cstdio>

namespace tributary {

/// Forgets all measurements of networks, and says so. The counts of bytes used of metered links stay. Throws
/// std::exception.
void forget_networks(std::FILE* say_to);

}  // namespace tributary
