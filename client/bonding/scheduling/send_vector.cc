#include "bonding/scheduling/send_vector.hh"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "bonding/scheduling/path_weights.hh"

namespace tributary::bonding {
namespace {

constexpr int kLength = 20;  // the thesis leaves it open; a twentieth is the step between shares

}  // namespace

std::vector<int> send_vector(int length, double weight_0, double weight_1) {
  std::vector<int> vector(static_cast<std::size_t>(length), 0);
  const auto count = static_cast<int>(std::lround(length * weight_1 / (weight_0 + weight_1)));
  // V(ceil(i / r)) for i = 1 to r * n, where r = count / length; places count from 1 there.
  for (int i = 1; i <= count; ++i) vector[static_cast<std::size_t>((i * length + count - 1) / count - 1)] = 1;
  return vector;
}

std::vector<int> send_vector(int length, std::span<const double> weights) {
  assert(!weights.empty());
  if (weights.size() == 1 || length == 0) return std::vector<int>(static_cast<std::size_t>(length), 0);
  const auto before = weights.first(weights.size() - 1);
  double weight_before = 0;
  for (const double weight : before) weight_before += weight;
  std::vector<int> vector = send_vector(length, weight_before, weights.back());
  const auto places = static_cast<int>(std::count(vector.begin(), vector.end(), 0));
  const std::vector<int> rest = send_vector(places, before);
  auto next = rest.begin();
  for (int& path : vector) path = path == 0 ? *next++ : static_cast<int>(weights.size()) - 1;
  return vector;
}

std::optional<PathId> SendVector::choose(const NextPacket& /*packet*/, std::span<const PathView> paths,
                                         TimePoint /*now*/) {
  if (paths.empty()) return std::nullopt;
  if (place_ == vector_.size() || !std::ranges::equal(paths, made_for_, {}, &PathView::id)) begin(paths);
  return made_for_[static_cast<std::size_t>(vector_[place_])];
}

void SendVector::begin(std::span<const PathView> paths) {
  made_for_.clear();
  bool measured = false;
  for (const PathView& path : paths) {
    made_for_.push_back(path.id);
    measured = measured || path.rate;
  }
  const int length = measured ? std::max(kLength, static_cast<int>(paths.size())) : static_cast<int>(paths.size());
  vector_ = send_vector(length, path_weights(paths));
  place_ = 0;
}

void SendVector::chosen(PathId /*path*/, const NextPacket& /*packet*/) { ++place_; }

}  // namespace tributary::bonding
