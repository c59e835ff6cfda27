#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "units/data_size.hh"
#include "units/session_clock.hh"

namespace tributary::transport {

/// How many bytes an origin may have under way to us. The window is a multiple of the bytes that arrive within a round
/// trip: enough to keep the path full, and not much more, because bytes under way cannot be called off. Never shrinks:
/// a window that is too small would measure only itself.
class ReceiveWindow {
 public:
  struct Limits {
    DataSize least{256 * 1024};
    DataSize most{16 * 1024 * 1024};
    int round_trips = 3;  // the sender's window doubles within one while it finds the rate of the path
  };
  explicit ReceiveWindow(Limits limits) : limits_{limits}, size_{limits.least} {}

  DataSize size() const { return size_; }

  /// Only the smallest counts, because later round trips include the queue that we fill.
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
  static constexpr Duration kShortest = std::chrono::milliseconds{10};  // within less, bursts of the reader count

  Limits limits_;
  DataSize size_;
  Duration round_trip_ = Duration::max();  // until one is known
  std::optional<TimePoint> since_;
  DataSize received_;  // since since_
};

}  // namespace tributary::transport
