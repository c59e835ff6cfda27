#pragma once

#include <optional>
#include <vector>

#include "bonding/wire/message.hh"

namespace tributary::bonding {

/// Trains of equal packets, one every second over each path, which tell its rate (thesis section 5.2.1).
class TrainSender {
 public:
  static constexpr std::uint8_t kCars = 10;
  static constexpr Duration kBetweenTrains = std::chrono::seconds{1};

  TimePoint next_train() const { return next_train_; }
  /// The cars of one train, to be sent back to back, each as large as passes the path.
  std::vector<TrainCar> train(DataSize padding, TimePoint now);

 private:
  std::uint16_t count_ = 0;
  TimePoint next_train_{};
};

/// Measures the trains that arrive over one path: the bytes that came after the first car, over the time from that to the last.
///
/// A device may hand over several cars at once (Wi-Fi, interrupts that are held back). Those that come in one burst with the
/// first count as little as that one: nobody knows in which time they came. A train in one burst tells nothing.
class TrainReceiver {
 public:
  /// The rate, with the last car of a train of which at least half arrived. A train whose last car is lost tells nothing.
  std::optional<TrainReport> arrived(PathId path, const TrainCar& car, DataSize size, TimePoint came_at);

 private:
  std::optional<std::uint16_t> train_;
  TimePoint first_at_{};  // the end of its burst
  DataSize after_first_;
  int cars_ = 0;
};

}  // namespace tributary::bonding
