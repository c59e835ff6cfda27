#include "bonding/probing/packet_train.hh"

#include <algorithm>

namespace tributary::bonding {
namespace {

// Cars of one burst are no farther apart. Those of a path with 200 Mbit/s are.
constexpr Duration kInOneBurst = std::chrono::microseconds{50};

}  // namespace

std::vector<TrainCar> TrainSender::train(DataSize padding, TimePoint now) {
  next_train_ = now + kBetweenTrains;
  std::vector<TrainCar> cars;
  for (std::uint8_t index = 0; index < kCars; ++index) cars.push_back({count_, index, kCars, padding});
  ++count_;
  return cars;
}

std::optional<TrainReport> TrainReceiver::arrived(PathId path, const TrainCar& car, DataSize size, TimePoint came_at) {
  if (train_ != car.train) {
    train_ = car.train;
    first_at_ = came_at;
    after_first_ = {};
    cars_ = 1;
    return std::nullopt;
  }
  if (after_first_ == DataSize{} && came_at - first_at_ < kInOneBurst)
    first_at_ = std::max(first_at_, came_at);
  else
    after_first_ += size;
  ++cars_;
  const bool complete_enough = car.index + 1 == car.count && 2 * cars_ >= car.count;
  if (!complete_enough || came_at <= first_at_) return std::nullopt;
  return TrainReport{path, car.train, after_first_ / (came_at - first_at_)};
}

}  // namespace tributary::bonding
