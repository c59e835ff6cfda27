#include "gst/source/media_times.hh"

#include <algorithm>

#include "gst/source/sample_times.hh"

namespace tributary {
namespace {

/// Playlists round the durations of segments, and the differences add up. More than this is mended, which can be seen.
constexpr Duration kMostDrift = std::chrono::milliseconds{500};

/// Stretches of picture and sound that begin this close to one another are the same, and share their time.
constexpr Duration kStretchesApart = std::chrono::milliseconds{500};

/// The stream that times are measured by: the picture, or else the sound. Null if there is none that tells.
const ReadStream* leading_stream(const ReadPart& part) {
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    for (const ReadStream& stream : part.content.streams) {
      if (stream.kind == kind && stream.timed && !stream.samples.empty()) return &stream;
    }
  }
  return nullptr;
}

/// The media are where the manifest lists them.
bool is_as_listed(const ReadPart& part, const ReadStream& stream, const TrackClock& clock) {
  const auto at = clock.time_of(stream.begin() + turns_of(stream, part.start, clock), stream.timescale);
  return at && std::chrono::abs(*at - part.start) <= kMostDrift;
}

}  // namespace

void MediaTimes::open(std::size_t leading) {
  leading_ = leading;
  measured_.clear();
}

void MediaTimes::measure(const std::vector<ReadPart>& parts) {
  if (!presentation_.times_are_measured) return;
  for (const TrackKind kind : {TrackKind::kVideo, TrackKind::kAudio}) {
    for (const ReadPart& part : parts) {
      Measured* const known = measured(part);
      // Sound that is cut at other places may not begin where the manifest says: the picture's time holds for it.
      if (part.kind != kind || (known != nullptr && kind == TrackKind::kAudio)) continue;
      const ReadStream* const stream = leading_stream(part);
      if (stream == nullptr) continue;
      const auto begins = ticks_to_time(stream->begin(), stream->timescale);
      if (!begins || (known != nullptr && is_as_listed(part, *stream, clock_of(part)))) continue;
      const Measured now{part.stretch.begin, *begins, part.start};
      if (known != nullptr)
        *known = now;
      else
        measured_.push_back(now);
    }
  }
}

MediaTimes::Measured* MediaTimes::measured(const ReadPart& part) {
  const auto found = std::ranges::find_if(measured_, [&](const Measured& one) {
    return std::chrono::abs(one.stretch_begin - part.stretch.begin) <= kStretchesApart;
  });
  return found == measured_.end() ? nullptr : &*found;
}

TrackClock MediaTimes::clock_of(const ReadPart& part) {
  TrackClock clock{presentation_.tracks[part.track], part.stretch.offset, presentation_.tracks.at(leading_)};
  if (const Measured* one = measured(part)) clock.set(one->of_media, one->position);
  return clock;
}

std::optional<Duration> MediaTimes::ahead(Duration position) const {
  const Measured* last = nullptr;
  for (const Measured& one : measured_) {
    const bool begun = one.stretch_begin <= position + kStretchesApart;
    if (begun && (last == nullptr || one.stretch_begin > last->stretch_begin)) last = &one;
  }
  return last == nullptr ? std::nullopt : std::optional{last->of_media - last->position};
}

}  // namespace tributary
