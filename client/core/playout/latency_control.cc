#include "core/playout/latency_control.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/session_state.hh"
#include "core/timeline/live_start.hh"

namespace tributary {
namespace {

constexpr Duration kEvery = std::chrono::milliseconds{100};
// Seconds from the target:
constexpr double kBegins = 0.1, kEnds = 0.02;  // playout is changed from there on, until it is so near
constexpr double kChange = 0.05, kFor = 0.5;   // of the speed, for so many seconds
constexpr double kSlowest = -LatencyControl::kMostSlower / kChange, kFastest = LatencyControl::kMostFaster / kChange;
constexpr double kStep = 0.01, kKept = 0.015;  // of the speed

}  // namespace

double LatencyControl::speed(const LiveSituation& now, double before) {
  const double away = to_seconds(now.latency - now.target);
  const bool near = std::abs(away) < (before == 1 ? kBegins : kEnds);
  const double by_latency = near ? 0 : std::clamp(away / kFor, kSlowest, kFastest);
  // At the target, and just before the next segment comes, about so much is there.
  const double usual = to_seconds(now.target - now.segment), low = usual / 2;
  const double by_level = low > 0 ? std::clamp(to_seconds(now.ahead) / low - 1, kSlowest, kFastest) : 0;
  const double change = kChange * std::min(by_latency, by_level) / kStep;
  const double steps = change < 0   ? std::min(std::round(change), -1.0)
                       : change > 0 ? std::max(std::round(change), 1.0)
                                    : 0;
  const double wanted = 1 + steps * kStep;
  return wanted != 1 && before != 1 && std::abs(wanted - before) < kKept ? before : wanted;
}

std::optional<Duration> LatencyControl::latency(const SessionState& s) {
  const auto playing = s.playout.buffer().playing();
  const auto edge = s.timeline.live_edge(s.now);
  if (!playing || !edge) return std::nullopt;
  return *edge - (s.timeline.end_of(*playing) - s.playout.buffer().time_left_playout(s.now));
}

bool LatencyControl::steers(const SessionState& s) {
  return s.options.latency > Duration{} && s.timeline.live() && s.playout.buffer().next_due().has_value();
}

void LatencyControl::skip_if_far_behind(SessionState& s) {
  if (s.options.latency_limit <= Duration{} || !steers(s)) return;
  const auto latency = LatencyControl::latency(s);
  if (!latency || *latency <= s.options.latency_limit + s.playout.accepted_lag()) return;
  const SegmentTable& table = s.timeline.table();
  s.timeline.skip_to(live_start(table, s.options.latency + s.playout.accepted_lag()), s.now,
                     fmt::format("{:.3f} s behind the live edge, {:.3f} s are allowed", to_seconds(*latency),
                                 to_seconds(s.options.latency_limit)),
                     s.actions);
}

void LatencyControl::look(SessionState& s) {
  if (s.now < rests_until_ || !steers(s)) return;
  const auto latency = LatencyControl::latency(s);
  if (!latency) return;
  rests_until_ = s.now + kEvery;
  const PlayoutBuffer& buffer = s.playout.buffer();
  const LiveSituation situation{*latency, s.options.latency + s.playout.accepted_lag(),
                                buffer.buffered() + buffer.time_left_playout(s.now),
                                s.timeline.table().duration(*buffer.playing())};
  const double wanted = s.qualities.speed(situation).value_or(speed(situation, speed_));
  if (wanted == speed_) return;
  speed_ = wanted;
  s.playout.steer(wanted,
                  fmt::format("{:.3f} s behind the live edge, {:.3f} s wanted, {:.3f} s here",
                              to_seconds(situation.latency), to_seconds(situation.target), to_seconds(situation.ahead)),
                  s.now, s.actions);
}

}  // namespace tributary
