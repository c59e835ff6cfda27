#pragma once

#include <algorithm>
#include <chrono>

#include "units/data_rate.hh"
#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary {

/// Knows for how long next to nothing has come of the wanted bytes. Bytes make up for as much time as they take at the
/// least useful rate. An origin that sends a byte each second is thus waited for in vain, and a slow but useful link
/// never is.
class VainWait {
 public:
  /// After this, a new connection may do better.
  static constexpr Duration kRenewAfter = std::chrono::seconds{30};

  explicit VainWait(DataRate least_useful) : least_useful_{least_useful} {}

  /// No byte was wanted until now.
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
  /// Bytes since then, approximately.
  DataSize came() const { return came_; }

  /// Never without any byte: connections know by themselves how long an origin may be silent.
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
