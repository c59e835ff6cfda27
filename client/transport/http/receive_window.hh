#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::transport {

/// How many bytes an origin may have under way to us: a multiple of what arrives within a round trip, so that the pipe stays
/// full, and not much more, because what is under way cannot be called off. Never shrinks: a window that is too small
/// measures itself.
class ReceiveWindow {
 public:
  struct Limits {
    DataSize least{256 * 1024};
    DataSize most{16 * 1024 * 1024};
    int round_trips = 3;  // the sender's window doubles within one while it finds the rate of the path
  };
  explicit ReceiveWindow(Limits limits) : limits_{limits}, size_{limits.least} {}

  DataSize size() const { return size_; }

  /// The smallest one counts: a later one holds the queue that we fill.
  void on_round_trip(Duration round_trip) { round_trip_ = std::min(round_trip_, round_trip); }
  void on_bytes(DataSize size, TimePoint now) {
    if (!since_) since_ = now;
    received_ += size;
    const Duration interval = now - *since_;
    if (interval < std::max<Duration>(round_trip_, kShortest)) return;
    const double within = static_cast<double>(received_.bytes()) * to_seconds(round_trip_) / to_seconds(interval);
    const DataSize wanted{static_cast<std::int64_t>(within * limits_.round_trips)};
    size_ = std::clamp(wanted, size_, limits_.most);
    since_ = now;
    received_ = {};
  }

 private:
  static constexpr Duration kShortest = std::chrono::milliseconds{10};  // bursts of the reader are no rate

  Limits limits_;
  DataSize size_;
  Duration round_trip_ = Duration::max();  // until one is known
  std::optional<TimePoint> since_;
  DataSize received_;  // since then
};

}  // namespace tributary::transport
