#include "segmenter/publish/dash_manifest.hh"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "segmenter/libav/track_time.hh"
#include "segmenter/publish/dash_nodes.hh"
#include "segmenter/publish/dash_parts.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

using pugi::xml_node;

std::int64_t longest_segment_milliseconds(const Presentation& presentation) {
  std::int64_t longest = 1;
  for (const Track& track : presentation.tracks) {
    for (const std::uint64_t ticks : track.durations) {
      longest = std::max(longest, rounded(ticks, track.timescale, 1000) + 1);
    }
  }
  return longest;
}

/// "low/{n:05}.m4s" of the representation "low" as "$RepresentationID$/$Number%05d$.m4s" (section 5.3.9.4.4).
std::string template_of(const std::string& id, const std::string& uri) {
  const std::string directory = id + "/";
  std::string text = uri;
  if (const auto open = text.find('{'); open != std::string::npos) {
    const auto close = text.find('}', open);
    const std::string field = text.substr(open, close - open + 1);  // {n} or {n:05}
    const std::string width = field == "{n}" ? "" : "%" + field.substr(3, field.size() - 4) + "d";
    text.replace(open, field.size(), "$Number" + width + "$");
  }
  return text.starts_with(directory) ? "$RepresentationID$" + text.substr(id.size()) : text;
}

void add_runs(xml_node timeline, const Track& track) {
  const std::vector<std::uint64_t>& durations = track.durations;
  for (std::size_t i = 0, next = 0; i < durations.size(); i = next) {
    while (next < durations.size() && durations[next] == durations[i]) ++next;
    xml_node run = timeline.append_child("S");
    if (i == 0) set(run, "t", static_cast<std::uint64_t>(track.offset) + track.start);
    set(run, "d", durations[i]);
    if (next - i > 1) set(run, "r", next - i - 1);
  }
}

void add_template(xml_node parent, const Presentation& presentation, const Track& track) {
  xml_node segments = parent.append_child("SegmentTemplate");
  set(segments, "timescale", track.timescale);
  set(segments, "presentationTimeOffset", timeline_begin(presentation, track));
  set(segments, "startNumber", track.first_number);
  if (track.init) set(segments, "initialization", template_of(track.id, track.init->uri));
  set(segments, "media", template_of(track.id, track.uri));
  add_runs(segments.append_child("SegmentTimeline"), track);
}

/// The places of the init segment and of the segments' index in the single file of a track. The index leads to the
/// segments.
void add_single_file(xml_node representation, const Track& track) {
  representation.append_child("BaseURL").text().set(track.uri.c_str());
  xml_node segments = representation.append_child("SegmentBase");
  set(segments, "timescale", track.timescale);
  set(segments, "presentationTimeOffset", track.offset);
  set(segments, "indexRange", dash_index_range(track));
  set(segments.append_child("Initialization"), "range", dash_byte_range(track.init->range));
}

xml_node add_representation(xml_node parent, const Track& track, const std::string& id) {
  xml_node representation = parent.append_child("Representation");
  set(representation, "id", id);
  set(representation, "codecs", track.codec);
  set(representation, "bandwidth", track.bitrate.peak.whole_bits_per_second());
  if (track.kind == TrackKind::kVideo) {
    set(representation, "width", track.width);
    set(representation, "height", track.height);
  } else {
    set(representation, "audioSamplingRate", track.sample_rate);
    xml_node channels = representation.append_child("AudioChannelConfiguration");
    set(channels, "schemeIdUri", "urn:mpeg:dash:23003:3:audio_channel_configuration:2011");
    set(channels, "value", track.channels);
  }
  if (is_single_file(track)) add_single_file(representation, track);
  return representation;
}

std::string frame_rate_text(const Track& track) {
  return track.frame_rate_den == 1 ? fmt::format("{}", track.frame_rate_num)
                                   : fmt::format("{}/{}", track.frame_rate_num, track.frame_rate_den);
}

void add_name(xml_node adaptation_set, const Track& track) {
  if (!track.label.language.empty()) set(adaptation_set, "lang", track.label.language);
  if (!track.label.name.empty()) adaptation_set.append_child("Label").text().set(track.label.name.c_str());
}

/// The properties by which a player chooses a sound or text. The schema wants names before Accessibility, and roles
/// after it.
void add_purpose(xml_node adaptation_set, const Presentation& presentation, const Track& track) {
  constexpr const char* kRoleScheme = "urn:mpeg:dash:role:2011";
  // TV-Anytime: 1 is for those who see badly, 2 for those who hear badly (ETSI TS 103 285 section 6.1.2).
  constexpr const char* kPurposeScheme = "urn:tva:metadata:cs:AudioPurposeCS:2007";
  for (const TrackRole role : track.label.roles) {
    const bool accessible =
        role == TrackRole::kDescription || role == TrackRole::kIntelligible || role == TrackRole::kCaption;
    if (accessible) add_descriptor(adaptation_set, "Accessibility", kRoleScheme, to_string(role));
    if (accessible && track.kind == TrackKind::kAudio)
      add_descriptor(adaptation_set, "Accessibility", kPurposeScheme, role == TrackRole::kDescription ? "1" : "2");
  }
  for (const std::string& role : dash_roles(presentation, track))
    add_descriptor(adaptation_set, "Role", kRoleScheme, role);
}

/// The whole text in one file, because some players cannot read text in segments.
void add_subtitles(xml_node period, const Presentation& presentation, const Track& track, std::size_t id) {
  xml_node adaptation_set = period.append_child("AdaptationSet");
  set(adaptation_set, "id", id);
  set(adaptation_set, "contentType", std::string{to_string(track.kind)});
  set(adaptation_set, "mimeType", track.mime);
  add_name(adaptation_set, track);
  add_purpose(adaptation_set, presentation, track);
  xml_node representation = adaptation_set.append_child("Representation");
  set(representation, "id", track.id);
  set(representation, "bandwidth", track.bitrate.peak.whole_bits_per_second());
  representation.append_child("BaseURL").text().set(track.whole->c_str());
}

/// Announces high dynamic range, so that a player knows before it fetches media (DASH-IF IOP 4.3 section 10.4.2). The
/// property is supplemental: a player that skipped pictures for an essential one would have no others.
void add_colors(xml_node adaptation_set, const ColorCodes& color) {
  for (const auto& [name, code] : dash_color_properties(color)) {
    xml_node property = adaptation_set.append_child("SupplementalProperty");
    set(property, "schemeIdUri", name);
    set(property, "value", code);
  }
}

/// The tracks of one group have the same timescale and durations, so their timeline stands once.
void add_adaptation_set(xml_node period, const Presentation& presentation, const Track& first, std::size_t id) {
  xml_node adaptation_set = period.append_child("AdaptationSet");
  set(adaptation_set, "id", id);
  set(adaptation_set, "contentType", std::string{to_string(first.kind)});
  set(adaptation_set, "mimeType", first.mime);
  add_name(adaptation_set, first);
  if (has_parts(presentation)) add_reference_time(adaptation_set, presentation, timeline_begin(presentation, first));
  add_purpose(adaptation_set, presentation, first);
  if (first.kind == TrackKind::kVideo) set(adaptation_set, "frameRate", frame_rate_text(first));
  const bool single_file = is_single_file(first);
  set(adaptation_set, single_file ? "subsegmentAlignment" : "segmentAlignment", "true");
  set(adaptation_set, single_file ? "subsegmentStartsWithSAP" : "startWithSAP", 1);
  if (first.color) add_colors(adaptation_set, *first.color);
  if (!single_file) {
    add_template(adaptation_set, presentation, first);
  }
  for (const Track& track : presentation.tracks) {
    if (track.group == first.group) add_representation(adaptation_set, track, track.id);
  }
}

/// The same tracks in parts. `whole`: the id of their set with whole segments.
void add_part_set(xml_node period, const Presentation& presentation, const Track& first, std::size_t id,
                  std::size_t whole) {
  xml_node adaptation_set = period.append_child("AdaptationSet");
  set(adaptation_set, "id", id);
  set(adaptation_set, "contentType", std::string{to_string(first.kind)});
  set(adaptation_set, "mimeType", first.mime);
  if (first.kind == TrackKind::kVideo) set(adaptation_set, "frameRate", frame_rate_text(first));
  set(adaptation_set, "segmentAlignment", "true");
  set(adaptation_set, "startWithSAP", 1);
  set(adaptation_set, "selectionPriority", 2);  // for dash.js, which knows parts; 1 is usual
  add_descriptor(adaptation_set, "EssentialProperty", kSegmentSequences, std::to_string(whole));
  add_name(adaptation_set, first);
  add_reference_time(adaptation_set, presentation, timeline_begin(presentation, first));
  add_purpose(adaptation_set, presentation, first);
  xml_node segments = adaptation_set.append_child("SegmentTemplate");
  set(segments, "timescale", first.timescale);
  set(segments, "presentationTimeOffset", timeline_begin(presentation, first));
  set(segments, "startNumber", first_with_parts(first));
  set(segments, "availabilityTimeOffset", availability_of_parts(presentation));
  add_part_runs(segments.append_child("SegmentTimeline"), presentation, first);
  for (const Track& track : presentation.tracks) {
    if (track.group != first.group) continue;
    xml_node names =
        add_representation(adaptation_set, track, part_representation(track)).append_child("SegmentTemplate");
    if (track.init) set(names, "initialization", track.init->uri);
    set(names, "media", template_of("", part_template_of(*track.parts)));
  }
}

/// Thumbnails (DASH-IF IOP 4.3 section 6.2.6).
void add_thumbnails(xml_node period, const ThumbnailSheets& sheets, std::size_t id) {
  xml_node adaptation_set = period.append_child("AdaptationSet");
  set(adaptation_set, "id", id);
  set(adaptation_set, "contentType", "image");
  set(adaptation_set, "mimeType", "image/jpeg");
  xml_node segments = adaptation_set.append_child("SegmentTemplate");
  set(segments, "timescale", sheets.timescale);
  set(segments, "duration", sheets.ticks * sheets.pictures_per_sheet());
  set(segments, "startNumber", sheets.first_number);
  set(segments, "media", template_of(std::string{kThumbnailsName}, sheets.uri));
  xml_node representation = adaptation_set.append_child("Representation");
  set(representation, "id", std::string{kThumbnailsName});
  set(representation, "bandwidth", sheets.bandwidth().whole_bits_per_second());
  set(representation, "width", sheets.columns * sheets.width);
  set(representation, "height", sheets.rows * sheets.height);
  add_descriptor(representation, "EssentialProperty", "http://dashif.org/guidelines/thumbnail_tile",
                 fmt::format("{}x{}", sheets.columns, sheets.rows));
}

const Track* first_picture(const Presentation& presentation) {
  const auto picture = std::find_if(presentation.tracks.begin(), presentation.tracks.end(),
                                    [](const Track& track) { return track.kind == TrackKind::kVideo; });
  return picture == presentation.tracks.end() ? nullptr : &*picture;
}

/// How far back a player may go, in milliseconds: through the window, but not behind a hole. Reason: dash.js 5.2 leaves
/// a place outside at once, but inside would wait once more for the length of the hole. The hole itself is outside,
/// too, because dash.js goes there and stays.
std::int64_t time_shift_depth(const Presentation& presentation, UtcTime published, bool after_hole) {
  const LiveWindow& live = *presentation.live;
  const std::int64_t window = std::llround(live.segments * presentation.nominal_segment_seconds * 1000);
  if (!after_hole) return window;
  const auto since =
      std::chrono::floor<std::chrono::milliseconds>(published - live.availability_start) - live.stretch_start;
  return std::clamp<std::int64_t>(since.count(), 1, window);
}

/// How often to reload, how far back a player may go, and where to start: three segments behind the live edge, where
/// players settle by themselves.
void add_live_times(xml_node mpd, const Presentation& presentation, UtcTime published, bool after_hole) {
  const auto segments = [&](double count) {
    return duration_text(std::llround(count * presentation.nominal_segment_seconds * 1000));
  };
  set(mpd, "type", "dynamic");
  set(mpd, "availabilityStartTime", utc_text(presentation.live->availability_start));
  set(mpd, "publishTime", utc_text(published));
  set(mpd, "minimumUpdatePeriod", segments(has_parts(presentation) ? 0.5 : 1));
  set(mpd, "timeShiftBufferDepth", duration_text(time_shift_depth(presentation, published, after_hole)));
  set(mpd, "suggestedPresentationDelay",
      has_parts(presentation) ? duration_text(latency_with_segments(presentation)) : segments(3));
}

bool is_going_on(const Presentation& presentation) { return presentation.live && !presentation.complete; }

/// A period is a stretch without a hole. Its id and its start stay the same in all later manifests. It states no
/// duration, because FFmpeg 5.1 plays the period with the longest stated one. The duration of an earlier period follows
/// from the start of the next.
xml_node add_period(xml_node mpd, const Presentation& presentation) {
  const bool goes_on = is_going_on(presentation);
  xml_node period = mpd.append_child("Period");
  set(period, "id", presentation.live ? presentation.live->interruptions : 0);
  set(period, "start", goes_on ? duration_text(presentation.live->stretch_start.count()) : "PT0S");
  std::set<std::string> groups;
  for (const Track& track : presentation.tracks) {
    const bool plays = track.kind == TrackKind::kVideo || track.kind == TrackKind::kAudio;
    if (plays && groups.insert(track.group).second) add_adaptation_set(period, presentation, track, groups.size() - 1);
    if (track.kind == TrackKind::kText && track.whole && groups.insert(track.group).second)
      add_subtitles(period, presentation, track, groups.size() - 1);
  }
  if (presentation.sheets) add_thumbnails(period, *presentation.sheets, groups.size());
  return period;
}

/// Behind the sets of segments.
void add_part_sets(xml_node period, const Presentation& presentation, std::size_t sets) {
  std::vector<std::string> with_parts;
  for (const Track& track : presentation.tracks) {
    if (track.kind == TrackKind::kData || std::ranges::find(with_parts, track.group) != with_parts.end()) continue;
    add_part_set(period, presentation, track, sets + with_parts.size(), with_parts.size());
    with_parts.push_back(track.group);
  }
}

/// Any web server tells the time; ours also does so at /time.
void add_clocks(xml_node mpd) {
  add_descriptor(mpd, "UTCTiming", kClockOfOrigin, kDashManifestName);
  add_descriptor(mpd, "UTCTiming", "urn:mpeg:dash:utc:http-iso:2014", "/time");
}

}  // namespace

std::vector<std::pair<std::string, int>> dash_color_properties(const ColorCodes& color) {
  if (!color.is_pq() && !color.is_hlg()) return {};
  const std::string scheme = "urn:mpeg:mpegB:cicp:";
  return {{scheme + "ColourPrimaries", color.primaries},
          {scheme + "TransferCharacteristics", color.transfer},
          {scheme + "MatrixCoefficients", color.matrix}};
}

bool is_single_file(const Track& track) { return !track.file_offsets.empty(); }

std::string dash_byte_range(ByteRange range) {
  return fmt::format("{}-{}", range.begin.bytes(), range.end.bytes() - 1);
}

std::string dash_index_range(const Track& track) {
  return dash_byte_range({track.init->range.end, track.file_offsets[0]});
}

std::vector<std::string> dash_roles(const Presentation& presentation, const Track& track) {
  std::vector<std::string> roles;
  if (track.kind == TrackKind::kAudio) {
    const auto first = std::ranges::find(presentation.tracks, TrackKind::kAudio, &Track::kind);
    const bool is_default = first->group == track.group;
    if (is_default || !track.label.is_beside()) roles.emplace_back(is_default ? "main" : "alternate");
  } else if (track.kind == TrackKind::kText && !track.label.has(TrackRole::kCaption)) {
    roles.emplace_back("subtitle");
  }
  for (const TrackRole role : track.label.roles) {
    if (role != TrackRole::kOriginal) roles.emplace_back(to_string(role));
  }
  return roles;
}

std::int64_t presentation_milliseconds(const Presentation& presentation) {
  const Track* const picture = first_picture(presentation);
  return picture == nullptr ? 0 : rounded(total_ticks(*picture), picture->timescale, 1000);
}

std::uint64_t timeline_begin(const Presentation& presentation, const Track& track) {
  const Track* const picture = first_picture(presentation);
  const auto offset = static_cast<std::uint64_t>(track.offset);
  const auto ticks = [&](std::uint64_t time, std::uint32_t timescale) {
    return static_cast<std::uint64_t>(rounded(time, timescale, static_cast<int>(track.timescale)));
  };
  if (is_going_on(presentation))
    return offset + ticks(static_cast<std::uint64_t>(presentation.live->stretch_start.count()), 1000);
  if (!presentation.live || picture == nullptr) return offset;
  return offset + ticks(picture->start, picture->timescale);
}

namespace {

std::string write_manifest(const Presentation& presentation, UtcTime published, std::span<const Presentation> earlier,
                           bool parts) {
  pugi::xml_document document;
  xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  xml_node mpd = document.append_child("MPD");
  set(mpd, "xmlns", "urn:mpeg:dash:schema:mpd:2011");
  const bool single_file = std::any_of(presentation.tracks.begin(), presentation.tracks.end(), is_single_file);
  set(mpd, "profiles",
      fmt::format("urn:mpeg:dash:profile:isoff-{}:2011,urn:mpeg:dash:profile:cmaf:2019",
                  single_file ? "on-demand" : "live"));
  if (is_going_on(presentation)) {
    add_live_times(mpd, presentation, published, !earlier.empty());
  } else {
    set(mpd, "type", "static");
    set(mpd, "mediaPresentationDuration", duration_text(presentation_milliseconds(presentation)));
  }
  // A player that has buffered the longest segment can play at `bandwidth` without a pause.
  set(mpd, "minBufferTime", duration_text(longest_segment_milliseconds(presentation)));
  set(mpd, "maxSegmentDuration", duration_text(longest_segment_milliseconds(presentation)));
  if (!presentation.title.empty())
    mpd.append_child("ProgramInformation").append_child("Title").text().set(presentation.title.c_str());
  if (parts) add_service_description(mpd, presentation);
  for (const Presentation& stretch : earlier) add_period(mpd, stretch);
  const xml_node period = add_period(mpd, presentation);
  const auto sets = period.children("AdaptationSet");
  if (parts) add_part_sets(period, presentation, static_cast<std::size_t>(std::distance(sets.begin(), sets.end())));
  if (is_going_on(presentation)) add_clocks(mpd);
  std::ostringstream out;
  document.save(out, "  ");
  return out.str();
}

}  // namespace

std::string write_dash_manifest(const Presentation& presentation, UtcTime published,
                                std::span<const Presentation> earlier) {
  return write_manifest(presentation, published, earlier, false);
}

std::string write_dash_manifest_with_parts(const Presentation& presentation, UtcTime published,
                                           std::span<const Presentation> earlier) {
  return write_manifest(presentation, published, earlier, true);
}

}  // namespace tributary::segmenter
