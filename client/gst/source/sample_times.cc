#include "gst/source/sample_times.hh"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tributary {
namespace {

/// The time on the timeline of a tick of the stream.
class SampleClock {
 public:
  SampleClock(const ReadStream& stream, const PlaceOfSamples& place, const TrackClock& clock)
      : clock_{clock}, timescale_{stream.timescale} {
    if (stream.timed) {
      turns_ = turns_of(stream, place.start, clock);
    } else {
      const bool goes_on = place.until && std::chrono::abs(*place.until - place.start) < place.around;
      begins_ = goes_on ? *place.until : place.start;
    }
  }
  std::optional<Duration> time_of(std::int64_t ticks) const {
    if (!begins_) return clock_.time_of(ticks + turns_, timescale_);
    const auto time = ticks_to_time(ticks, timescale_);
    return time ? std::optional{*time + *begins_} : std::nullopt;
  }

 private:
  const TrackClock& clock_;
  std::uint32_t timescale_;
  std::int64_t turns_ = 0;
  std::optional<Duration> begins_;  // of a stream that is not timed
};

}  // namespace

std::int64_t turns_of(const ReadStream& stream, Duration position, const TrackClock& clock) {
  if (stream.wrap == 0 || stream.samples.empty()) return 0;
  const auto time = clock.time_of(stream.begin(), stream.timescale);
  const auto turn = ticks_to_time(stream.wrap, stream.timescale);
  if (!time || !turn) return 0;
  return std::llround(to_seconds(position - *time) / to_seconds(*turn)) * stream.wrap;
}

TimedSamples timed_samples(ReadStream stream, const PlaceOfSamples& place, const TrackClock& clock) {
  TimedSamples timed;
  const SampleClock times{stream, place, clock};
  const bool sound = stream.kind == TrackKind::kAudio;
  for (ReadSample& sample : stream.samples) {
    const auto shown = times.time_of(sample.shown), ends = times.time_of(sample.shown + sample.duration);
    if (!shown || !ends || *shown < place.start - place.around || *ends > place.start + place.duration + place.around) {
      timed.damage = fmt::format("a sample is at tick {}, which is not in the segment", sample.shown);
      break;
    }
    const bool again = sound && place.until && *shown + (*ends - *shown) / 2 < *place.until;
    // Pictures outside of it may be needed by others.
    const bool outside = sound && (*shown >= place.stretch.end || *ends <= place.stretch.begin);
    if (*ends <= Duration{} || again || outside) continue;
    // No decoding times: the first ones would be negative. Without them, elements go by the order of the buffers.
    GST_BUFFER_PTS(sample.buffer.get()) = static_cast<GstClockTime>(std::max(*shown, Duration{}).count());
    GST_BUFFER_DURATION(sample.buffer.get()) = static_cast<GstClockTime>((*ends - *shown).count());
    timed.buffers.push_back(std::move(sample.buffer));
  }
  return timed;
}

}  // namespace tributary
