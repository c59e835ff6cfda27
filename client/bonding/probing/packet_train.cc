#include "bonding/probing/packet_train.hh"

namespace tributary::bonding {

std::vector<TrainCar> TrainSender::train(DataSize padding, TimePoint now) {
  next_train_ = now + kBetweenTrains;
  std::vector<TrainCar> cars;
  for (std::uint8_t index = 0; index < kCars; ++index) cars.push_back({count_, index, kCars, padding});
  ++count_;
  return cars;
}

std::optional<TrainReport> TrainReceiver::arrived(PathId path, const TrainCar& car, DataSize size, TimePoint now) {
  if (train_ != car.train) {
    train_ = car.train;
    first_at_ = now;
    after_first_ = {};
    cars_ = 1;
    return std::nullopt;
  }
  after_first_ += size;
  ++cars_;
  const bool complete_enough = car.index + 1 == car.count && 2 * cars_ >= car.count;
  if (!complete_enough || now <= first_at_) return std::nullopt;
  return TrainReport{path, car.train, after_first_ / (now - first_at_)};
}

}  // namespace tributary::bonding
