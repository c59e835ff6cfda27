#pragma once

#include <vector>

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// The share of each path in the sum of all rates. A path of unknown rate counts as the mean of the known ones; if none is
/// known, all are equal.
inline std::vector<double> path_weights(std::span<const PathView> paths) {
  double known = 0;
  int count = 0;
  for (const PathView& path : paths) {
    if (!path.rate) continue;
    known += path.rate->bits_per_second();
    ++count;
  }
  const double mean = known > 0 ? known / count : 1;
  std::vector<double> weights;
  double sum = 0;
  for (const PathView& path : paths) {
    weights.push_back(path.rate && known > 0 ? path.rate->bits_per_second() : mean);
    sum += weights.back();
  }
  for (double& weight : weights) weight /= sum;
  return weights;
}

}  // namespace tributary::bonding
