#pragma once

#include <pugixml.hpp>
#include <string>

#include "presentation/presentation.hh"

/// What manifests say of parts, for players of MPEG-DASH with low latency (ISO/IEC 23009-1, Segment Sequence
/// Representations). The same tracks are there a second time, in sets of their own: parts in place of segments. An
/// essential property keeps players that do not know parts away from these sets.
namespace tributary::segmenter {

/// The scheme of that property.
inline constexpr const char* kSegmentSequences = "urn:mpeg:dash:ssr:2023";

/// Whether the manifest has parts.
bool has_parts(const Presentation& presentation);

/// How far behind the live edge the author would play, in milliseconds: players of parts, and those of segments.
std::int64_t latency_with_parts(const Presentation& presentation);
std::int64_t latency_with_segments(const Presentation& presentation);
/// availabilityTimeOffset: seconds by which a part is there before its end. Negative: encoding takes some time.
double availability_of_parts(const Presentation& presentation);
/// ServiceDescription: the latency that players of parts aim at, and their rates of playback.
void add_service_description(pugi::xml_node mpd, const Presentation& presentation);

/// ProducerReferenceTime: the time at which the first picture or sound of the timeline was encoded. `begin`: its ticks.
void add_reference_time(pugi::xml_node adaptation_set, const Presentation& presentation, std::uint64_t begin);

/// "low/{n:05}.{p}.m4s" as "low/$Number%05d$.$SubNumber$.m4s".
std::string part_template_of(const TrackParts& parts);

/// The timeline of a set of parts: segments whose parts are listed, and two more, which come into being.
void add_part_runs(pugi::xml_node timeline, const Presentation& presentation, const Track& track);

/// The number of the first segment in that timeline.
std::uint64_t first_with_parts(const Track& track);

/// The id of a track's Representation in a set of parts.
std::string part_representation(const Track& track);

}  // namespace tributary::segmenter
