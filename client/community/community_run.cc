#include "community/community_run.hh"

#include <fmt/format.h>

#include <stdexcept>

#include "bonding/connection.hh"

namespace tributary::community {

double Figures::loss() const {
  StreamCount all;
  for (const StreamCount& stream : streams) {
    all.sent += stream.sent;
    all.came += stream.came;
  }
  return all.loss();
}

Figures run(const Experiment& experiment, const std::vector<LinkScenario>& links, std::uint64_t seed) {
  if (links.empty() || links.size() > bonding::Connection::kMostPaths)
    throw std::invalid_argument(
        fmt::format("{} links: expected 1 to {}", links.size(), bonding::Connection::kMostPaths));
  SplitMix seeds{seed};
  Proxy proxy{
      links,
      {.scheduler = bonding::scheduler_kind(experiment.scheduler), .told = experiment.told, .seed = seeds.next()}};
  Figures figures;
  if (experiment.file) {
    figures.transfer = run_transfer(experiment, proxy, links.front(), seeds.next());
  } else {
    figures.streams = run_streams(experiment, proxy, seeds.next());
  }
  figures.links = proxy.counts();
  return figures;
}

}  // namespace tributary::community
