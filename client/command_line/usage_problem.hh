#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tributary {

/// The text about a command line that `app` could not read, without the name of the program: which word is wrong, what
/// is expected in its place, and where the help is. To be called after the parse that threw.
std::string usage_problem(const CLI::App& app, const CLI::ParseError& error);

}  // namespace tributary
