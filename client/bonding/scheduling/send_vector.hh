#pragma once

#include <vector>

#include "bonding/scheduling/path_scheduler.hh"

namespace tributary::bonding {

/// Thesis Algorithm 5: `length` places, of which the second of two paths has round(length * w1 / (w0 + w1)), evenly spread;
/// 0 stands for the first path, 1 for the second. Weights are not negative, and one is positive.
std::vector<int> send_vector(int length, double weight_0, double weight_1);
/// For any number of paths: the vector of all but the last is merged with the last as if it were one path, recursively.
std::vector<int> send_vector(int length, std::span<const double> weights);

/// The paths in the order of the vector, which is made anew at its end and when paths come or go. Until a rate is measured,
/// it is plain round robin (thesis section 5.2.1).
class SendVector final : public PathScheduler {
 public:
  std::optional<PathId> choose(const NextPacket& packet, std::span<const PathView> paths, TimePoint now) override;
  void chosen(PathId path, const NextPacket& packet) override;

 private:
  void begin(std::span<const PathView> paths);

  std::vector<PathId> made_for_;
  std::vector<int> vector_;  // indices in made_for_
  std::size_t place_ = 0;
};

}  // namespace tributary::bonding
