#include "command_line/usage_problem.hh"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "command_line/suggestion.hh"

namespace tributary {
namespace {

/// The program, and the command if the user gave one.
std::vector<const CLI::App*> scopes_of(const CLI::App& app) {
  std::vector<const CLI::App*> scopes{&app};
  for (const CLI::App* const command : app.get_subcommands()) scopes.push_back(command);
  return scopes;
}

std::string command_name(const std::vector<const CLI::App*>& scopes) {
  std::string name;
  for (const CLI::App* const scope : scopes) name += (name.empty() ? "" : " ") + scope->get_name();
  return name;
}

std::vector<std::string> known_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

std::vector<std::string> known_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* const command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// An option that another command has, or the program itself.
std::string place_of(const std::string& word, const CLI::App& app, const CLI::App& used) {
  std::vector<const CLI::App*> places{&app};
  for (const CLI::App* const command : app.get_subcommands({})) places.push_back(command);
  for (const CLI::App* const place : places) {
    if (place == &used || std::ranges::count(known_options(*place), word) == 0) continue;
    return fmt::format("; it is one of {}", place == &app ? app.get_name() : command_name({&app, place}));
  }
  return "";
}

std::string unknown_option(const std::string& word, const CLI::App& app, const CLI::App& used) {
  const std::string name = word.substr(0, word.find('='));
  const std::string place = place_of(name, app, used);
  return fmt::format("{}: there is no such option{}", name,
                     place.empty() ? suggestion(name, known_options(used)) : place);
}

/// The word that may be a misspelt command: one that was taken for an argument, or one too many.
std::string unknown_word(const std::string& word, const CLI::App& app) {
  std::vector<std::string> words{word};
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_positional()) words.insert(words.end(), option->results().begin(), option->results().end());
  }
  for (const std::string& each : words) {
    if (const std::string meant = suggestion(each, known_commands(app)); !meant.empty())
      return fmt::format("{}: there is no such command{}", each, meant);
  }
  return fmt::format("\"{}\" is one argument too many", word);
}

std::string unexpected(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true);
  const auto option = std::ranges::find_if(words, [](const std::string& word) { return word.starts_with('-'); });
  const CLI::App& used = *scopes_of(app).back();
  if (option != words.end()) return unknown_option(*option, app, used);
  return words.empty() ? "a word too many" : unknown_word(words.back(), app);  // which keeps them from the last on
}

std::string missing_command(const CLI::App& app) {
  const std::vector<std::string> words = app.remaining(true), known = known_commands(app);
  const std::string all = fmt::format("{}", fmt::join(known, ", "));
  if (words.empty()) return "a command is missing: " + all;
  return fmt::format("{}: there is no such command{}", words.back(),
                     meant_by(words.back(), known) ? suggestion(words.back(), known) : "; there are " + all);
}

/// The option that CLI11 names in front of its text, or after it.
const CLI::Option* option_in(const std::string& text, const std::vector<const CLI::App*>& scopes) {
  for (const CLI::App* const scope : scopes) {
    for (const CLI::Option* const option : scope->get_options()) {
      if (text == option->get_name()) return option;
    }
  }
  return nullptr;
}

std::string not_a_number(const std::string& text, const std::vector<const CLI::App*>& scopes) {
  static const std::string kBegin = "Could not convert: ", kEquals = " = ";
  const std::size_t equals = text.find(kEquals);
  if (!text.starts_with(kBegin) || equals == std::string::npos) return text;
  const std::string name = text.substr(kBegin.size(), equals - kBegin.size());
  const CLI::Option* const option = option_in(name, scopes);
  const std::string type = option == nullptr ? "" : option->get_type_name();
  return fmt::format("{}: \"{}\": expected {}", name, text.substr(equals + kEquals.size()),
                     type.starts_with("UINT")    ? "a whole number, 0 or more"
                     : type.starts_with("FLOAT") ? "a number"
                                                 : "a whole number");
}

std::string missing_value(const std::string& text, const std::vector<const CLI::App*>& scopes) {
  const std::string name = text.substr(0, text.find(": "));
  const CLI::Option* const option = option_in(name, scopes);
  if (option == nullptr) return text;
  return fmt::format("{}: its value is missing: {} {}", name, name, option->get_option_text());
}

std::string text_of(const CLI::App& app, const CLI::ParseError& error) {
  std::string text = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return unexpected(app);
  if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return not_a_number(text, scopes_of(app));
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return missing_value(text, scopes_of(app));
  if (text == "A subcommand is required") return missing_command(app);
  return text;
}

}  // namespace

std::string usage_problem(const CLI::App& app, const CLI::ParseError& error) {
  return fmt::format("{}\n{} --help tells more\n", text_of(app, error), command_name(scopes_of(app)));
}

}  // namespace tributary
