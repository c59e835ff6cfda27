#pragma once

#include <CLI/CLI.hpp>
#include <cstdio>

namespace tributary {

/// --forget.
void add_forget(CLI::App& app, bool& forget);
/// What was measured is forgotten, and that is said; the bytes used of metered links stay counted. Throws std::exception.
void forget_networks(std::FILE* say_to);

}  // namespace tributary
