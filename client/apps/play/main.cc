#include <gst/gst.h>

#include "apps/common/command_line.hh"
#include "apps/play/play_application.hh"
#include "apps/play/play_options.hh"
#include "apps/play/translation.hh"

int main(int argc, char** argv) {
  using namespace tributary;
  try {
    play::PlayOptions options = play::parse_command_line(argc, argv);
    play::start_translation();
    gst_init(nullptr, nullptr);
    return play::PlayApplication{std::move(options)}.run();
  } catch (const CommandLineEnd& end) {
    return end.exit_status;
  } catch (const std::exception& error) {
    g_printerr("tributary-play: %s\n", error.what());
    return 1;
  }
}
