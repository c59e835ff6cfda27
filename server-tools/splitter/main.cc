#include <fmt/format.h>
#include <fmt/ranges.h>
#include <linux/capability.h>

#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "command_line/program_end.hh"
#include "splitter/simulated_transfer.hh"
#include "splitter/splitter.hh"
#include "splitter/splitter_options.hh"
#include "system/kept_capabilities.hh"
#include "system/stop_signal.hh"
#include "units/text/printed_text.hh"

namespace tributary {
namespace {

void simulate(const SplitterOptions& options) {
  const std::vector<LinkScenario> links =
      read_words([](const std::string& text) { return parse_scenario(text); }, options.simulate);
  const SimulatedTransfer::Outcome outcome =
      SimulatedTransfer{links, options.processor, options.seed}.run(options.length);
  const nlohmann::ordered_json json{{"links", links.size()},
                                    {"processor", options.processor},
                                    {"length_s", to_seconds(options.length)},
                                    {"goodput_kbit_s", outcome.goodput.kilobits_per_second()},
                                    {"retransmissions", outcome.retransmissions},
                                    {"lost", outcome.lost},
                                    {"dropped_acknowledgments", outcome.dropped_acknowledgments}};
  print_text(stdout, "{}\n", json.dump(2, ' ', true));
}

int run(const SplitterOptions& options) {
  if (!options.simulate.empty()) {
    simulate(options);
    return 0;
  }
  const int stop_fd = stop_signal_fd();
  Splitter splitter{options, [](const std::string& text) { print_text(stderr, "tributary-splitter: {}\n", text); }};
  keep_only(std::array{CAP_NET_ADMIN});  // rules are taken back at the end
  std::vector<std::string> links;
  for (const SplitterLink& link : options.links) links.push_back(link.name);
  print_text(stdout, "splitting connections to {} over {}\n", options.receivers->text(),
             fmt::format("{}", fmt::join(links, ", ")));
  std::fflush(stdout);
  splitter.run(stop_fd);
  return 0;
}

}  // namespace
}  // namespace tributary

int main(int argc, char** argv) {
  using namespace tributary;
  return run_program({.program = "tributary-splitter"}, [&] { return run(parse_splitter_command_line(argc, argv)); });
}
