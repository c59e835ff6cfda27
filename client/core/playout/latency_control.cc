#include "core/playout/latency_control.hh"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "core/session_state.hh"

namespace tributary {
namespace {

constexpr Duration kEvery = std::chrono::milliseconds{100};
constexpr double kNear = 0.05;     // seconds from the target that are left alone
constexpr double kFullFrom = 0.5;  // seconds from the target at which playout is changed as far as it may be
constexpr double kStep = 0.01, kKept = 0.018;

}  // namespace

double LatencyControl::speed(const Situation& now, double before) {
  const double away = to_seconds(now.latency - now.target);
  const double by_latency = std::abs(away) < kNear ? 0 : std::clamp(away / kFullFrom, -1.0, 1.0);
  // At the target, and just before the next segment comes, about so much is there.
  const double usual = to_seconds(now.target - now.segment), low = usual / 2;
  const double by_level = low > 0 ? std::clamp(to_seconds(now.ahead) / low - 1, -1.0, 1.0) : 0;
  const double wanted = 1 + kMostChange * std::min(by_latency, by_level);
  if (std::abs(wanted - before) < kKept && (wanted != 1 || before == 1)) return before;
  return 1 + std::round((wanted - 1) / kStep) * kStep;
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

void LatencyControl::look(SessionState& s) {
  if (s.now < rests_until_ || !steers(s)) return;
  const auto latency = LatencyControl::latency(s);
  if (!latency) return;
  rests_until_ = s.now + kEvery;
  const PlayoutBuffer& buffer = s.playout.buffer();
  const Situation situation{*latency, s.options.latency, buffer.buffered() + buffer.time_left_playout(s.now),
                            s.timeline.table().duration(*buffer.playing())};
  const double wanted = speed(situation, speed_);
  if (wanted == speed_) return;
  speed_ = wanted;
  s.playout.steer(wanted,
                  fmt::format("{:.3f} s behind the live edge, {:.3f} s wanted, {:.3f} s here",
                              to_seconds(situation.latency), to_seconds(situation.target), to_seconds(situation.ahead)),
                  s.now, s.actions);
}

}  // namespace tributary
