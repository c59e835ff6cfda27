#include "segmenter/cli/command_line.hh"

#include "command_line/introduction.hh"

namespace tributary::segmenter {
namespace {

const Introduction kIntroduction{
    "Encodes a video into segments in several qualities. Any web server can serve the folder that comes of it, and any "
    "player of HLS or MPEG-DASH can play it.",
    "0 if all is well, 1 if the source cannot be read, 2 for a wrong command line, 3 if it cannot be encoded, 4 if the "
    "output cannot be written, 5 if check found something wrong, 130 after Ctrl-C.",
    {"tributary-segment film.mp4 -o /var/www/film",
     "tributary-segment film.mp4 -o film --ladder low=750k,high=3000k@1280x720"}};

CLI::App& introduced(CLI::App& app) {
  introduce(app, kIntroduction);
  app.require_subcommand(0, 1);
  return app;
}

}  // namespace

CommandLine::CommandLine()
    : app_{"", "tributary-segment"},
      prepare_{introduced(app_), messages_},
      package_{app_, messages_},
      live_{app_, messages_},
      replay_{app_, messages_},
      check_{app_, messages_} {
  for (CLI::App* const command : app_.get_subcommands({}))
    command->excludes(app_.get_option("FILE"))->excludes(app_.get_option("--output"));
  add_version(app_, TRIBUTARY_VERSION);
}

Task& CommandLine::task() {
  for (Task* const command : std::initializer_list<Task*>{&package_, &live_, &replay_, &check_}) {
    if (command->is_wished()) return *command;
  }
  return prepare_;
}

}  // namespace tributary::segmenter
