#include "command_line/introduction.hh"

#include <memory>

#include "command_line/help_formatter.hh"

namespace tributary {

void introduce(CLI::App& app, const Introduction& introduction) {
  app.description(introduction.about);
  app.formatter(std::make_shared<HelpFormatter>());
  app.set_help_flag("-h,--help", "Show this help.")->group(kGeneralGroup);
  std::string footer;
  if (!introduction.exit_status.empty()) footer += "\n" + filled("Exit status: " + introduction.exit_status, 0) + "\n";
  if (!introduction.examples.empty()) footer += "\nExamples:\n";
  for (const std::string& example : introduction.examples) footer += "  " + example + "\n";
  app.footer(footer);
}

void add_version(CLI::App& app, const std::string& version) {
  app.set_version_flag("--version", app.get_name() + " " + version, "Show the version.")->group(kGeneralGroup);
}

void group(CLI::App& app, const char* title, std::initializer_list<const char*> options) {
  for (const char* const option : options) app.get_option(option)->group(title);
}

}  // namespace tributary
