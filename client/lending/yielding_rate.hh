#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::lending {

/// How much of an uplink is lent at a moment: what its owner leaves of it. Decided by the bytes alone that come over the
/// interface, those for members and those for the owner: nobody has to know what the uplink can carry.
///
/// While all that is allowed comes, more is allowed. When less comes than is allowed, the uplink is full (or the members'
/// origins are slow, which is the same to them): what came lately is taken for its capacity, of which a little is left
/// free. Where the owner has bytes then, it wants more than that: what is lent is halved with each tick. While nothing is
/// lent, the capacity is taken to grow slowly, until a little is lent and shows whether it has: if the owner then gets less
/// than it did alone, it has not.
class YieldingRate {
 public:
  static constexpr Duration kTick = std::chrono::milliseconds{100};

  /// `most`: never more than that.
  explicit YieldingRate(std::optional<DataRate> most);

  /// What came in one tick.
  struct Came {
    Duration time;        // since the tick before
    DataSize all;         // over the interface, with headers
    DataSize lent;        // for members, without
    bool wanted = false;  // members had bytes coming all the time, or would have
  };
  void tick(const Came& came);

  DataRate rate() const { return DataRate::bits_per_second(allowed_); }
  /// Nothing: the uplink has never been full.
  std::optional<DataRate> capacity() const;
  /// The owner has left hardly anything for a while.
  bool is_taken() const { return ticks_without_ > kTicksUntilTaken; }

 private:
  static constexpr std::size_t kTicksOfCapacity = 50;
  static constexpr int kTicksUntilTaken = 20;

  void learn(bool full, bool wanted);
  void choose(bool full);
  /// The rate of all that came in the ticks before that one.
  double seen(std::size_t until) const;
  double most_seen() const;
  bool is_little(double rate) const;
  bool owner_is_there() const;
  bool takes_from_owner() const;

  std::optional<DataRate> most_;
  // In bits per second.
  double allowed_;
  double allowed_lately_;
  double lent_lately_ = 0, own_lately_ = 0;
  double own_at_most_ = 0;                                             // lately, and for a moment longer
  double own_alone_ = 0;                                               // lately, while nothing was lent; 0: unknown
  std::array<std::pair<DataSize, Duration>, kTicksOfCapacity> all_{};  // of the last ticks
  double capacity_ = 0;                                                // 0: unknown
  double growth_ = 0;                                                  // of the capacity, with each tick
  std::size_t ticks_ = 0;
  int short_ticks_ = 0;    // in which less came than was allowed
  int ticks_without_ = 0;  // in which hardly anything was lent
};

}  // namespace tributary::lending
