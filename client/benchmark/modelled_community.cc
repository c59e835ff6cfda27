#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "benchmark/runs.hh"
#include "benchmark/scenario_figures.hh"
#include "community/community_run.hh"
#include "program/output_file.hh"
#include "units/text/printed_text.hh"
#include "units/text/quantity_text.hh"

namespace tributary {
namespace {

double lost_percent(const community::LinkCount& link) {
  return link.sent == 0 ? 0 : 100 * static_cast<double>(link.lost) / static_cast<double>(link.sent);
}

nlohmann::ordered_json figures_json(const community::Figures& figures, const std::vector<LinkScenario>& links) {
  nlohmann::ordered_json json;
  if (figures.transfer) {
    json["goodput_kbit_s"] = figures.transfer->rate().kilobits_per_second();
    json["took_s"] = to_seconds(figures.transfer->took);
    json["retransmissions"] = figures.transfer->retransmissions;
  } else {
    json["loss_percent"] = 100 * figures.loss();
  }
  json["streams"] = nlohmann::ordered_json::array();
  for (const community::StreamCount& stream : figures.streams)
    json["streams"].push_back(
        {{"loss_percent", 100 * stream.loss()}, {"jitter_ms", 1e3 * stream.jitter_s}, {"packets", stream.sent}});
  json["links"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < links.size(); ++i)
    json["links"].push_back({{"name", links[i].name},
                             {"packets", figures.links[i].sent},
                             {"loss_percent", lost_percent(figures.links[i])}});
  return json;
}

std::string figures_text(const community::Figures& figures, const std::vector<LinkScenario>& links) {
  std::string text;
  if (figures.transfer)
    text += fmt::format("{} in {}: {}, {} packets again\n", format_size(figures.transfer->came),
                        format_duration(figures.transfer->took), format_rate(figures.transfer->rate()),
                        figures.transfer->retransmissions);
  for (std::size_t i = 0; i < figures.streams.size(); ++i)
    text += fmt::format("stream {}: {:.2f} % lost, jitter {:.1f} ms\n", i, 100 * figures.streams[i].loss(),
                        1e3 * figures.streams[i].jitter_s);
  for (std::size_t i = 0; i < links.size(); ++i)
    text += fmt::format("{}: {} packets, {:.2f} % lost\n", links[i].name, figures.links[i].sent,
                        lost_percent(figures.links[i]));
  return text;
}

}  // namespace

RunEnd model_community(const BenchOptions& options) {
  const std::vector<LinkScenario> links = chosen_links(options);
  const community::Experiment experiment = community::parse_experiment(*options.community);
  OutputFile output{options.summary_file};
  const community::Figures figures = community::run(experiment, links, options.seed);
  if (output.wanted()) output.stream() << figures_json(figures, links).dump(2) << '\n';
  output.close();
  if (!options.quiet) print_text(stdout, figures_text(figures, links));
  return {0, figures.transfer ? figures.transfer->took : experiment.length};
}

}  // namespace tributary
