#pragma once

#include <vector>

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

struct WeightedPath {
  PathId path{};
  double weight = 0;  // more than 0
};

/// The rate of each path in bit/s. A path of unknown rate counts as the mean of the known ones; if none is known, all are 1.
inline std::vector<WeightedPath> paths_by_rate(std::span<const PathView> paths) {
  double known = 0;
  int count = 0;
  for (const PathView& path : paths) {
    if (!path.rate) continue;
    known += path.rate->bits_per_second();
    ++count;
  }
  const double mean = known > 0 ? known / count : 1;
  std::vector<WeightedPath> weighted;
  for (const PathView& path : paths) {
    const bool has_rate = path.rate && path.rate->bits_per_second() > 0;
    weighted.push_back({path.id, has_rate ? path.rate->bits_per_second() : mean});
  }
  return weighted;
}

/// The share of each path in the sum of all rates.
inline std::vector<double> path_weights(std::span<const PathView> paths) {
  double sum = 0;
  std::vector<double> weights;
  for (const WeightedPath& path : paths_by_rate(paths)) {
    weights.push_back(path.weight);
    sum += path.weight;
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace tributary::bonding
