#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace tributary {

/// What --help says of a program, or of one of its commands, beside the options.
struct Introduction {
  std::string about;
  std::string exit_status;            // empty where the program says it
  std::vector<std::string> examples;  // command lines
};

/// Before options are declared. The help of commands that are added later has the same layout.
void introduce(CLI::App& app, const Introduction& introduction);
/// --version.
void add_version(CLI::App& app, const std::string& version);
/// Puts these options below one title in the help.
void group(CLI::App& app, const char* title, std::initializer_list<const char*> options);

}  // namespace tributary
