#include "segmenter/publish/dash_parts.hh"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "segmenter/publish/dash_nodes.hh"
#include "segmenter/publish/hls_parts.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

std::int64_t milliseconds_of(double seconds) { return std::llround(1000 * seconds); }

double part_seconds(const Presentation& presentation) {
  return static_cast<double>(part_target(presentation)) / kHlsTicks;
}

/// The number of parts of a whole segment, which ends with a shorter one.
std::uint64_t parts_per_segment(const Track& track, std::uint64_t segment_ticks) {
  return (segment_ticks + track.parts->target - 1) / track.parts->target;
}

}  // namespace

bool has_parts(const Presentation& presentation) {
  return presentation.live && !presentation.complete && presentation.tracks[0].parts;
}

std::int64_t latency_with_parts(const Presentation& presentation) {
  constexpr double kParts = 5;  // two for encoding and publishing, one on its way, two in the buffer
  return milliseconds_of(kParts * part_seconds(presentation));
}

std::int64_t latency_with_segments(const Presentation& presentation) {
  return milliseconds_of(presentation.nominal_segment_seconds + 3 * part_seconds(presentation));
}

double availability_of_parts(const Presentation& presentation) {
  return -static_cast<double>(milliseconds_of(part_seconds(presentation))) / 1000;
}

void add_service_description(pugi::xml_node mpd, const Presentation& presentation) {
  pugi::xml_node service = mpd.append_child("ServiceDescription");
  set(service, "id", 0);
  pugi::xml_node latency = service.append_child("Latency");
  set(latency, "referenceId", 0);
  set(latency, "target", latency_with_parts(presentation));
  set(latency, "max", milliseconds_of(3 * presentation.nominal_segment_seconds));
  set(latency, "min", milliseconds_of(3 * part_seconds(presentation)));
  pugi::xml_node rate = service.append_child("PlaybackRate");
  set(rate, "max", 1.04);
  set(rate, "min", 0.96);
}

void add_reference_time(pugi::xml_node adaptation_set, const Presentation& presentation, std::uint64_t begin) {
  pugi::xml_node reference = adaptation_set.append_child("ProducerReferenceTime");
  set(reference, "id", 0);
  set(reference, "type", "encoder");
  set(reference, "wallClockTime", utc_text(presentation.live->availability_start + presentation.live->stretch_start));
  set(reference, "presentationTime", begin);
  add_descriptor(reference, "UTCTiming", kClockOfOrigin, kDashManifestName);  // by which the time is a date
}

std::string part_template_of(const TrackParts& parts) {
  std::string text = parts.uri;
  const std::string_view part = "{p}";
  text.replace(text.find(part), part.size(), "$SubNumber$");
  return text;
}

std::uint64_t first_with_parts(const Track& track) {
  return track.parts->segments.empty() ? track.first_number + track.sizes.size()
                                       : track.parts->segments.front().segment;
}

void add_part_runs(pugi::xml_node timeline, const Presentation& presentation, const Track& track) {
  const std::size_t first = first_with_parts(track) - track.first_number;
  const auto from = track.durations.begin() + static_cast<std::ptrdiff_t>(first);
  std::uint64_t begin =
      std::accumulate(track.durations.begin(), from, static_cast<std::uint64_t>(track.offset) + track.start);
  std::vector<std::uint64_t> durations{from, track.durations.end()};
  // Announced before they are there, so that the manifest need not be loaded anew for each part. Sound ends at the
  // boundary of a frame that is nearest to this.
  const auto nominal = static_cast<std::uint64_t>(std::llround(presentation.nominal_segment_seconds * track.timescale));
  durations.insert(durations.end(), 2, nominal);
  for (const std::uint64_t duration : durations) {
    pugi::xml_node run = timeline.append_child("S");
    set(run, "t", begin);
    set(run, "d", duration);
    set(run, "k", parts_per_segment(track, nominal));
    begin += duration;
  }
}

std::string part_representation(const Track& track) { return track.id + "-parts"; }

}  // namespace tributary::segmenter
