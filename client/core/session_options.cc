#include "core/session_options.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/links/lane_count.hh"
#include "core/qualities/experience.hh"

namespace tributary {

std::uint32_t usual_duplicates(SubsegmentApproach approach, StreamingMode mode) {
  constexpr std::uint32_t kUnbuffered = 1;  // nearly every range is in danger there, and bytes lost are quality lost
  const std::uint32_t usual = traits_of(approach).duplicates_percent;
  return mode == StreamingMode::kLiveUnbuffered ? std::min(usual, kUnbuffered) : usual;
}

std::string usual_experience(const SessionOptions& options) {
  const bool waits_for_full_buffer = plays(options.mode) && options.segments_to_start() >= options.buffer_segments;
  return waits_for_full_buffer ? "yin2015-patient" : "yin2015";
}

void ask_for_small_ranges(SessionOptions& options, DataSize size) {
  constexpr std::uint32_t kAtOnce = 16;
  options.subsegments = SubsegmentApproach::kStatic;
  options.subsegment_size = size;
  options.depth = std::max(options.depth, kAtOnce);
}

void follow_live_edge(SessionOptions& options, Duration segment) {
  const double segments = std::floor(to_seconds(options.latency) / std::max(to_seconds(segment), 0.001));
  options.buffer_segments = static_cast<std::uint32_t>(std::clamp(segments, 2.0, 10'000.0));
  options.startup_segments = 1;
}

void validate(const SessionOptions& options) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument(what); };
  if (options.depth < 1 || options.depth > 64) refuse(fmt::format("depth {}: expected 1 to 64", options.depth));
  if (options.subsegment_size < DataSize{1000}) {
    refuse(fmt::format("subsegment size {} bytes: expected at least 1000", options.subsegment_size.bytes()));
  }
  if (options.duplicates_percent > 100) {
    refuse(fmt::format("duplicates {} %: expected 0 to 100", options.duplicates_percent));
  }
  Experience::read(options.experience);
  if (options.slack_segments > 1000) {
    refuse(fmt::format("slack of {} segments: expected 0 to 1000", options.slack_segments));
  }
  if (options.buffer_segments < 1) refuse("a buffer of 0 segments: expected at least 1");
  if (options.startup_segments > options.buffer_segments) {
    refuse(fmt::format("start-up of {} segments with a buffer of {}: it would never be over", options.startup_segments,
                       options.buffer_segments));
  }
  if (options.latency < Duration{} || options.latency > std::chrono::hours{1})
    refuse(fmt::format("a latency of {:.3f} s: expected up to an hour", to_seconds(options.latency)));
  if (options.latency_limit > Duration{} && options.latency_limit <= options.latency)
    refuse(fmt::format("a latency of at most {:.3f} s, where {:.3f} s is wanted", to_seconds(options.latency_limit),
                       to_seconds(options.latency)));
  if (options.latency > Duration{} && !is_live(options.mode)) refuse("a latency is of a live stream");
  if (options.connections > LaneCount::kMost) {
    refuse(fmt::format("{} connections: expected 0 to {}", options.connections, LaneCount::kMost));
  }
  if (options.mode == StreamingMode::kLiveUnbuffered && options.buffer_segments != 1) {
    refuse(fmt::format("a buffer of {} segments in mode live-unbuffered, whose buffer is 1 segment",
                       options.buffer_segments));
  }
}

}  // namespace tributary
