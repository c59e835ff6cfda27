#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace tributary {

/// The text of --help for a program, or for one of its commands, beside the options.
struct Introduction {
  std::string about;
  std::string exit_status;            // empty for a command: the program states it
  std::vector<std::string> examples;  // command lines
};

/// To be called before options are declared. Commands that are added later have the same layout.
void introduce(CLI::App& app, const Introduction& introduction);
/// Adds --version, which shows the name of the program as well.
void add_version(CLI::App& app, const std::string& version);
/// Lists these options below one title in the help.
void group(CLI::App& app, const char* title, std::initializer_list<const char*> options);

}  // namespace tributary
