#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "command_line/program_end.hh"

namespace tributary {

/// Parses, then calls `check`, which throws CLI::ParseError, UsageError or std::invalid_argument for an error of the
/// command line. Prints the help, the version or the error, addresses without their secrets, and throws CommandLineEnd:
/// with 0, or with kWrongUsage after an error.
void parse(
    CLI::App& app, int argc, char** argv, const std::function<void()>& check = [] {});

}  // namespace tributary
