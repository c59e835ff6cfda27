#include <gst/gst.h>

#include <memory>

#include "apps/common/command_line.hh"
#include "apps/common/link_costs.hh"
#include "apps/play/play_application.hh"
#include "apps/play/play_options.hh"
#include "apps/play/translation.hh"

namespace {

/// What the user said of a link holds; one that the desktop calls metered is for when it is needed, until the links panel says
/// otherwise.
void add_costs(tributary::Stream::Options& stream) {
  using tributary::LinkUse;
  const auto costs = std::make_shared<tributary::RealLinkCosts>(
      stream.terms, [](const std::string& text) { g_printerr("tributary-play: %s\n", text.c_str()); });
  stream.budget = {costs, &costs->budget()};
  stream.use = [costs, terms = stream.terms](const std::string& link) {
    return terms.contains(link) ? LinkUse::kUse : costs->use_of(link);
  };
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tributary;
  try {
    play::PlayOptions options = play::parse_command_line(argc, argv);
    add_costs(options.stream);
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
