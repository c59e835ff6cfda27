#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string_view>

#include "command_line/program_end.hh"

namespace tributary {

/// Parses, then calls `check`, which throws CLI::ParseError, UsageError or std::invalid_argument for an error of the
/// command line. Prints the help, the version or the error, addresses without their secrets, and throws CommandLineEnd:
/// with 0, or with kWrongUsage after an error. The words of the command line lose their secrets, among them the values of
/// `secret_options` (secret_words.hh).
void parse(
    CLI::App& app, int argc, char** argv, const std::function<void()>& check = [] {},
    std::span<const std::string_view> secret_options = {});

}  // namespace tributary
