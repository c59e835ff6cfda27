#include "segmenter/live/replay_parts.hh"

#include <fmt/format.h>

#include <cmath>

#include "segmenter/failure.hh"

namespace tributary::segmenter {
namespace {

/// Plain bytes can be cut anywhere.
FrameRate rate_of(const Track& track) {
  if (track.kind != TrackKind::kVideo) return {1000, 1};
  return {track.frame_rate_num, track.frame_rate_den};
}

}  // namespace

ReplayParts::ReplayParts(const Track& leading, double nominal_segment_seconds, Duration longest)
    : plan_{{rate_of(leading), from_seconds(nominal_segment_seconds)}, longest},
      seconds_{static_cast<double>(plan_.pictures()) * rate_of(leading).den / rate_of(leading).num} {
  if (to_seconds(longest) < nominal_segment_seconds) return;
  throw Failure{ExitCode::kUsage, fmt::format("--low-latency: a part is shorter than a segment, which lasts {} s here",
                                              nominal_segment_seconds)};
}

std::uint64_t ReplayParts::target(const Track& track, std::uint64_t frame) const {
  const double ticks = seconds_ * track.timescale;
  if (track.kind != TrackKind::kAudio || frame == 0) return static_cast<std::uint64_t>(std::llround(ticks));
  constexpr double kRounding = 1e-6;
  // Half a frame more, by which the last part of a round may be longer.
  return static_cast<std::uint64_t>(std::ceil(ticks / static_cast<double>(frame) - kRounding)) * frame + frame / 2;
}

std::vector<double> ReplayParts::cuts(double segment_seconds) const {
  constexpr double kRounding = 1e-4;  // of a part
  std::vector<double> cuts;
  for (double end = seconds_; end < segment_seconds - kRounding * seconds_;
       end = seconds_ * static_cast<double>(cuts.size() + 1))
    cuts.push_back(end);
  return cuts;
}

}  // namespace tributary::segmenter
