#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tributary {

/// The group of --help and --version, which stands last.
inline constexpr const char* kGeneralGroup = "General";

/// The words of the text, in lines of 80 columns that begin at the column. The first line is begun already, as far as that.
std::string filled(const std::string& text, std::size_t column);

/// Lays --help out: usage, purpose, arguments, commands, options in groups, footer. No line is longer than 80 columns, except
/// for words that are longer. An entry has two blanks, its name, and its text from column 24 on, as argparse of Python has it:
/// cmake/help_text.py reads both. An option's value is shown by its option_text, and its default_str as a sentence.
class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
};

}  // namespace tributary
