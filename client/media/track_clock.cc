#include "media/track_clock.hh"

#include <cstdlib>

namespace tributary {

std::optional<Duration> ticks_to_time(std::int64_t ticks, std::uint32_t timescale) {
  constexpr std::int64_t kNanoseconds = 1'000'000'000, kMostSeconds = 4'500'000'000;  // Duration holds the sum of two
  const std::int64_t whole = ticks / timescale, rest = ticks % timescale;
  if (std::llabs(whole) > kMostSeconds) return std::nullopt;
  const std::int64_t half = (rest < 0 ? -1 : 1) * static_cast<std::int64_t>(timescale / 2);
  return Duration{whole * kNanoseconds + (rest * kNanoseconds + half) / timescale};
}

TrackClock::TrackClock(const Track& track, std::int64_t offset, const Track& leading)
    : timescale_{track.timescale},
      offset_{offset},
      shift_{ticks_to_time(static_cast<std::int64_t>(leading.start), leading.timescale).value_or(Duration{})} {}

std::optional<Duration> TrackClock::time_of(std::int64_t ticks, std::uint32_t timescale) const {
  std::int64_t unshifted = 0;
  if (timescale == timescale_) {  // to the nanosecond
    if (__builtin_sub_overflow(ticks, offset_, &unshifted)) return std::nullopt;
    const auto time = ticks_to_time(unshifted, timescale_);
    return time ? std::optional{*time - shift_} : std::nullopt;
  }
  const auto time = ticks_to_time(ticks, timescale), offset = ticks_to_time(offset_, timescale_);
  return time && offset ? std::optional{*time - *offset - shift_} : std::nullopt;
}

}  // namespace tributary
