#include "command_line/help_formatter.hh"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <vector>

namespace tributary {
namespace {

constexpr std::size_t kUsualWidth = 80;
constexpr std::size_t kNarrowest = 40;  // where texts still have room beside names
constexpr std::size_t kTextColumn = 24;

/// Of the terminal that standard output is.
std::size_t width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kUsualWidth;
  return std::max<std::size_t>(size.ws_col, kNarrowest);
}

std::string entry(const std::string& name, const std::string& text) {
  const std::string begin = "  " + name;
  const bool beside = begin.size() + 2 <= kTextColumn;
  return begin + (beside ? "" : "\n") + std::string(kTextColumn - (beside ? begin.size() : 0), ' ') +
         filled(text, kTextColumn) + "\n";
}

/// "-o, --output FILE"
std::string name_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name(true);
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return option.get_option_text().empty() ? names : names + " " + option.get_option_text();
}

std::string usage_of(const CLI::Option& argument) {
  const bool many = argument.get_expected_max() >= CLI::detail::expected_max_vector_size;
  const std::string name = argument.get_name(true) + (many ? "..." : "");
  return argument.get_required() ? " " + name : " [" + name + "]";
}

std::string usage_of(const CLI::App& app, const std::string& name) {
  std::string usage = "Usage: " + name + " [OPTIONS]";
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) usage += usage_of(*option);
  }
  if (app.get_subcommands({}).empty()) return usage + "\n";
  const bool always = app.get_require_subcommand_min() > 0;
  return usage + (always ? " COMMAND ...\n" : "\n       " + name + " COMMAND ...\n");
}

using Wanted = std::function<bool(const CLI::Option&)>;

std::string section(const CLI::App& app, const std::string& title, const Wanted& wanted) {
  std::string entries;
  for (const CLI::Option* option : app.get_options()) {
    if (!wanted(*option)) continue;
    const std::string usual = option->get_default_str();
    entries += entry(name_of(*option), option->get_description() + (usual.empty() ? "" : " Default: " + usual + "."));
  }
  return entries.empty() ? "" : "\n" + title + ":\n" + entries;
}

std::string commands_of(const CLI::App& app) {
  std::string entries;
  for (const CLI::App* command : app.get_subcommands({}))
    entries += entry(command->get_name(), command->get_description());
  return entries.empty() ? "" : "\nCommands, each with a --help of its own:\n" + entries;
}

}  // namespace

std::string filled(const std::string& text, std::size_t column) {
  const std::size_t last = width();
  std::istringstream words{text};
  std::string lines;
  std::size_t end = column;
  for (std::string word; words >> word;) {
    if (end > column && end + 1 + word.size() > last) {
      lines += "\n" + std::string(column, ' ');
      end = column;
    } else if (end > column) {
      lines += ' ';
      ++end;
    }
    lines += word;
    end += word.size();
  }
  return lines;
}

std::string HelpFormatter::make_help(const CLI::App* app, std::string name, CLI::AppFormatMode /*mode*/) const {
  std::string help = usage_of(*app, name) + "\n" + filled(app->get_description(), 0) + "\n";
  help += section(*app, "Arguments", [](const CLI::Option& option) { return option.get_positional(); });
  help += commands_of(*app);
  std::vector<std::string> groups = app->get_groups();
  std::erase(groups, "");  // of what is not for everybody
  std::ranges::stable_partition(groups, [](const std::string& group) { return group != kGeneralGroup; });
  for (const std::string& group : groups) {
    help += section(*app, group,
                    [&](const CLI::Option& option) { return !option.get_positional() && option.get_group() == group; });
  }
  return help + app->get_footer();
}

}  // namespace tributary
