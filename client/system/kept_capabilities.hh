#pragma once

#include <span>

namespace tributary {

/// Gives up all capabilities of this thread but these (CAP_NET_ADMIN), for good. Programs that it starts get no others
/// either, and no other user by their files. What it has not is not added. To be called before there are other threads,
/// which keep theirs. Throws std::system_error.
void keep_only(std::span<const int> capabilities);

}  // namespace tributary
