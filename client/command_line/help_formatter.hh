#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tributary {

/// The group of --help and --version, which stands last.
inline constexpr const char* kGeneralGroup = "General";

/// The words of the text in lines as wide as the terminal, or 80 columns where standard output is none, each beginning at `column`. The first line has no indentation: the
/// caller has printed it up to `column`.
std::string filled(const std::string& text, std::size_t column);

/// Lays --help out: usage, purpose, arguments, commands, options in groups, footer. Only a word that is longer makes a
/// line longer than filled() does.
///
/// An entry has two blanks, its name, and its text from column 24 on. That is the layout of Python's argparse;
/// cmake/help_text.py reads both. The option_text shows an option's value, and the default_str becomes a sentence.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace tributary
