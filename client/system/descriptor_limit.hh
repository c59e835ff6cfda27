#pragma once

#include <cstddef>

namespace tributary {

/// Lets this process have as many open files as it may have without a privilege, and says how many. For programs with many
/// connections; select(), which knows only the first 1,024 files, must not be used in them.
std::size_t raise_descriptor_limit();

}  // namespace tributary
