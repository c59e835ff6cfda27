#pragma once

#include <filesystem>

namespace tributary::lending {

/// Shows a code, and waits until somebody is a member by it, nobody can be any more, or a stop signal comes. Returns the
/// exit status of the program.
int show_pairing_code(const std::filesystem::path& folder);

}  // namespace tributary::lending
