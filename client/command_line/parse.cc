#include "command_line/parse.hh"

#include <span>
#include <sstream>

#include "command_line/secret_words.hh"
#include "command_line/usage_problem.hh"
#include "units/text/printed_text.hh"
#include "units/text/redacted_url.hh"

namespace tributary {
namespace {

void replace_all(std::string& text, const std::string& old, const std::string& now) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += now.size())
    text.replace(at, old.size(), now);
}

/// The text about these words of the command line, with redacted addresses (URL or --option=URL).
std::string without_secrets(std::string text, std::span<char* const> words) {
  for (const std::string word : words) {
    if (!is_address(word)) continue;
    replace_all(text, word, redacted(word));
    const std::string value = word.substr(word.find('=') + 1);
    if (is_address(value)) replace_all(text, value, redacted(value));
  }
  return text;
}

}  // namespace

void parse(CLI::App& app, int argc, char** argv, const std::function<void()>& check,
           std::span<const std::string_view> secret_options) {
  const std::span words{argv, static_cast<std::size_t>(argc)};
  try {
    app.parse(argc, argv);
    try {
      read_words(check);
    } catch (const UsageError& error) {
      throw CLI::ValidationError(error.what());
    }
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream answer, none;
      app.exit(error, answer, none);
      print_text(stdout, answer.str());
      throw CommandLineEnd{0};
    }
    const std::string problem = without_secrets(usage_problem(app, error), words);
    print_text(stderr, "{}: {}", app.get_name(), problem);
    throw CommandLineEnd{kWrongUsage, problem.substr(0, problem.find('\n'))};
  }
  hide_secrets(words, secret_options);
}

}  // namespace tributary
