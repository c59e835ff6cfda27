#pragma once

#include <algorithm>
#include <chrono>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows for how long next to nothing has come of what is wanted. Bytes make up for as much time as they take at the least rate
/// that is of any use: who gets a byte each second waits as if there were none; a link that is slow, but of use, never lets anybody
/// wait in vain.
class VainWait {
 public:
  /// A new connection may do better than one that has brought next to nothing for so long.
  static constexpr Duration kRenewAfter = std::chrono::seconds{30};

  explicit VainWait(DataRate least_useful) : least_useful_{least_useful} {}

  /// Nothing was wanted until now.
  void restart(TimePoint now) {
    since_ = now;
    came_ = {};
  }
  void received(DataSize size, TimePoint now) {
    const double waited = to_seconds(now - since_);
    if (static_cast<double>(size.bytes()) * 8 >= waited * least_useful_.bits_per_second()) return restart(now);
    since_ += size / least_useful_;
    came_ += size;
  }

  TimePoint since() const { return since_; }
  /// Since then, more or less.
  DataSize came() const { return came_; }

  /// Never where nothing came at all: connections know by themselves how long an origin may be silent.
  TimePoint renewal() const {
    return came_ == DataSize{} ? TimePoint::max() : std::max(since_, renewed_) + kRenewAfter;
  }
  void renewed(TimePoint now) { renewed_ = now; }

 private:
  DataRate least_useful_;
  TimePoint since_, renewed_;
  DataSize came_;
};

}  // namespace tributary
