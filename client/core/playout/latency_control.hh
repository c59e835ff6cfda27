#pragma once

#include <optional>
#include <string>

#include "core/playout/live_situation.hh"
#include "units/session_clock.hh"

namespace tributary {

struct SessionState;

/// Steers how far playout is behind the live edge, by its speed alone: up to 5 % slower or faster, which nobody hears where the
/// pitch is kept, and up to 10 % faster where it is far behind. Faster than the links can make up for, playout would stand still;
/// so a buffer that runs low slows it.
class LatencyControl {
 public:
  static constexpr double kMostSlower = 0.05, kMostFaster = 0.1;

  /// `before`: the speed until now, which is kept as long as it is nearly right. In steps of a hundredth.
  static double speed(const LiveSituation& now, double before);

  /// Before the next segment is started: where playout is further behind than SessionOptions::latency_limit, segments are
  /// skipped up to the switch point that is about as far behind as it should be.
  static void skip_if_far_behind(SessionState& s);
  /// Call after every event; it looks ten times a second. Live only, with SessionOptions::latency.
  void look(SessionState& s);
  /// How far the present position is behind the live edge. Nothing: nothing plays, or the title is not live.
  static std::optional<Duration> latency(const SessionState& s);
  /// It steers now.
  static bool steers(const SessionState& s);
  /// It does not look again before.
  TimePoint rests_until() const { return rests_until_; }

 private:
  TimePoint rests_until_ = TimePoint::min();
  double speed_ = 1;  // that was asked for
};

}  // namespace tributary
