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
/// What has come lately in all is taken for the uplink's capacity. Members get that without the owner's bytes and without
/// a little more, so that no queue stands before the uplink. Now and then a little more than the capacity is tried for a
/// moment: if it comes, the uplink carries more. When less comes for members than is allowed, the uplink is full (or the
/// members' origins are slow, which is the same to them): it carries no more than came. Where the owner has bytes then,
/// it wants more than that: what is lent is cut at once, and comes back in steps. While nothing is lent, the capacity is
/// taken to grow slowly, until a little is lent and shows whether it has: if the owner then gets less than it did alone,
/// it has not.
///
/// As BBR does (Cardwell 2016), this takes the most that came for the capacity, and tries more in turn.
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
  static constexpr int kTicksUntilTaken = 20;

  /// All that came over the interface in the last ticks, as rates in bits per second.
  class Seen {
   public:
    void add(DataSize size, Duration time) { ticks_[count_++ % ticks_.size()] = {size, time}; }
    double lately() const { return until(count_); }
    double most() const;

   private:
    double until(std::size_t tick) const;

    std::array<std::pair<DataSize, Duration>, 50> ticks_{};
    std::size_t count_ = 0;
  };
  /// More than is known is tried.
  struct Trial {
    double capacity = 0, owners = 0;  // when it began
    double beyond = 0;                // the capacity, as a part of it; 0: none was made
    int ticks = 0;                    // since it began
  };

  void learn(bool full, bool wanted);
  void choose(bool full);
  bool is_little(double rate) const;
  bool owner_is_there() const;
  bool takes_from_owner() const;
  void try_more(bool full);
  void end_trial();
  double left() const;
  /// The owner wants more than it has.
  bool is_crowded() const;

  std::optional<DataRate> most_;
  // In bits per second.
  double allowed_;
  double allowed_lately_;
  std::array<double, 4> allowed_before_{};  // in the last ticks: connections follow what is allowed after round trips
  double lent_lately_ = 0, own_lately_ = 0;
  double owners_ = 0;     // own_lately_, over a longer while
  double own_alone_ = 0;  // lately, while nothing was lent; 0: unknown
  double capacity_ = 0;   // 0: unknown
  Seen seen_;
  Trial trial_;
  unsigned ticks_ = 0, cut_at_ = 0;
  int short_ticks_ = 0;    // in which less came than was allowed
  int ticks_without_ = 0;  // in which hardly anything was lent
};

}  // namespace tributary::lending
