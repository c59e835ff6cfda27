#pragma once

#include <string>

namespace tributary {

/// The command for a shell, found also in folders that users do not search.
std::string searched_command(const std::string& command);
/// One word for a shell. Words come from outside, and must not change the command.
std::string shell_quoted(const std::string& word);

/// Runs a command of the system's administration ("nft -f -") with this text as its standard input. What it says stands on our
/// standard output and error. False: it could not be run, or ended with an error.
bool feed_command(const std::string& command, const std::string& input);
/// What it prints; nothing if it cannot be run.
std::string output_of_command(const std::string& command);

}  // namespace tributary
