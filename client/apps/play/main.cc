#include <gst/gst.h>

#include <memory>

#include "apps/play/first_title.hh"
#include "command_line/program_end.hh"
#include "gst/pipeline/decoder_preload.hh"
#include "memory/network_memory.hh"
#include "player/play_application.hh"
#include "player/play_options.hh"
#include "player/texts/translation.hh"
#include "program/options/forget_networks.hh"
#include "program/real_link_costs.hh"
#include "units/text/printed_text.hh"

namespace {

/// Decides the use of spared links. The user's answer holds. Until there is one, a spared link is used only when
/// needed; it is used if the command line gives its cost as a backup, or gives a cost and --spend-for.
void add_costs(tributary::play::PlayOptions& options) {
  using tributary::LinkUse;
  tributary::Stream::Options& stream = options.stream;
  const auto warn = [](const std::string& text) { tributary::print_text(stderr, "tributary-play: {}\n", text); };
  options.answers = std::make_shared<tributary::play::LinkAnswers>(
      tributary::play::LinkAnswers::usual_path(),
      tributary::play::LinkAnswers::Surroundings{
          [](const std::string& link) { return tributary::network_of(link, tributary::kAnywhere); }, warn});
  const auto costs = std::make_shared<tributary::RealLinkCosts>(stream.terms, stream.rules.catalogue.get(), warn);
  stream.budget = {costs, &costs->budget()};
  stream.memory = tributary::link_memory(tributary::kAnywhere, warn);
  const bool spends = stream.session.spend_for != tributary::kSpendForLowest;
  stream.use = [costs, answers = options.answers, terms = stream.terms, spends](const std::string& link) {
    const LinkUse usual = costs->use_of(link);
    if (usual == LinkUse::kUse) return usual;
    if (const auto answer = answers->of(link)) return *answer;
    const auto said = terms.find(link);
    const bool decided = said != terms.end() && (spends || said->second.kind == tributary::CostKind::kBackup);
    return decided ? LinkUse::kUse : usual;
  };
}

}  // namespace

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-play"}, [&] {
    play::PlayOptions options = play::parse_command_line(argc, argv);
    if (options.forget) forget_networks(options.urls.empty() ? stdout : stderr);
    if (options.forget && options.urls.empty()) return 0;
    expect_links(options.expected);
    if (const std::string left_out = tributary::beside_vpn(options.stream.links, tributary::kAnywhere);
        !left_out.empty())
      tributary::print_text(stderr, "tributary-play: {}\n", left_out);
    add_costs(options);
    options.stream.tell = [](const std::string& note) { print_text(stderr, "tributary-play: {}\n", note); };
    play::start_translation();
    options.open = play::begin_first_title(options);
    gst_init(nullptr, nullptr);
    const DecoderPreload decoders;
    return play::PlayApplication{std::move(options)}.run();
  });
}
