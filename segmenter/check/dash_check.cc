#include "segmenter/check/dash_check.hh"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <pugixml.hpp>

#include "segmenter/publish/dash_manifest.hh"
#include "segmenter/publish/dash_parts.hh"

namespace tributary::segmenter {
namespace {

using pugi::xml_node;

/// "PT1H2M3.456S" in milliseconds; -1 for any other text.
double milliseconds_of(std::string_view text) {
  if (!text.starts_with("PT")) return -1;
  double total = 0;
  for (text.remove_prefix(2); !text.empty();) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const auto digits = static_cast<std::size_t>(end - text.data());
    if (error != std::errc{} || digits == text.size()) return -1;
    const char unit = text[digits];
    if (unit != 'H' && unit != 'M' && unit != 'S') return -1;
    total += value * (unit == 'H' ? 3600 : unit == 'M' ? 60 : 1);
    text.remove_prefix(digits + 1);
  }
  return 1000 * total;
}

/// Fills in a template (ISO/IEC 23009-1 section 5.3.9.4.4): $RepresentationID$, $Number$, $Number%05d$ and $SubNumber$.
std::string expand(const std::string& text, const std::string& id, std::uint64_t number, std::size_t part = 0) {
  std::string name;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find('$', at);
    const std::size_t end = begin == std::string::npos ? begin : text.find('$', begin + 1);
    if (end == std::string::npos) return name + text.substr(at);
    name += text.substr(at, begin - at);
    const std::string field = text.substr(begin + 1, end - begin - 1);
    if (field == "RepresentationID") {
      name += id;
    } else if (field == "SubNumber") {
      name += fmt::format("{}", part);
    } else if (field == "Number") {
      name += fmt::format("{}", number);
    } else if (field.size() == 10 && field.starts_with("Number%0") && field[8] >= '1' && field[8] <= '9') {
      name += fmt::format("{:0{}}", number, field[8] - '0');
    }
    at = end + 1;
  }
  return name;
}

class DashCheck {
 public:
  DashCheck(const ManifestFiles& files, const std::string& name, const Presentation& media, Findings& findings)
      : files_{files}, name_{name}, media_{media}, findings_{findings} {}

  void run() {
    const auto text = files_.read(name_);
    if (!text) return findings_.add(name_, "cannot be read");
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text->data(), text->size());
    if (!parsed) return findings_.add(name_, "byte {}: {}", parsed.offset, parsed.description());
    const xml_node mpd = document.child("MPD");
    if (media_.live && !media_.complete) {
      check_attribute(name_, mpd, "type", "dynamic");
      check_attribute(name_, mpd, "availabilityStartTime", utc_text(media_.live->availability_start));
    } else {
      check_static(mpd);
    }
    findings_.compare(name_, "the title", std::string{mpd.child("ProgramInformation").child("Title").text().get()},
                      media_.title);
    // Only the last period: the index lists no segment from before an interruption.
    xml_node period;
    for (const xml_node each : mpd.children("Period")) period = each;
    check_start(period);
    bool has_thumbnails = false;
    for (const xml_node adaptation_set : period.children("AdaptationSet")) {
      const xml_node essential = adaptation_set.child("EssentialProperty");
      if (std::string_view{essential.attribute("schemeIdUri").value()} == kSegmentSequences) {
        check_part_set(adaptation_set);
      } else if (std::string_view{adaptation_set.attribute("contentType").value()} == "image") {
        check_thumbnails(adaptation_set);
        has_thumbnails = true;
      } else {
        check_adaptation_set(adaptation_set);
      }
    }
    if (media_.sheets && !has_thumbnails) findings_.add(name_, "no thumbnails");
    for (const Track& track : media_.tracks) {
      if (std::find(named_.begin(), named_.end(), &track) == named_.end()) {
        findings_.add(name_, "no Representation {}", track.id);
      }
    }
  }

 private:
  void check_start(xml_node period) {
    const double start = milliseconds_of(period.attribute("start").value());
    const bool goes_on = media_.live && !media_.complete;
    const auto right = static_cast<double>(goes_on ? media_.live->stretch_start.count() : 0);
    if (std::abs(start - right) > 0.5)
      findings_.add(name_, "the last Period has start {}, but begins at {} ms", period.attribute("start").value(),
                    right);
  }

  void check_static(xml_node mpd) {
    check_attribute(name_, mpd, "type", "static");
    const double duration = milliseconds_of(mpd.attribute("mediaPresentationDuration").value());
    if (std::abs(duration - static_cast<double>(presentation_milliseconds(media_))) > 0.5) {
      findings_.add(name_, "mediaPresentationDuration is {}, but the picture lasts {} ms",
                    mpd.attribute("mediaPresentationDuration").value(), presentation_milliseconds(media_));
    }
  }

  void check_attribute(const std::string& place, xml_node node, const char* attribute, const std::string& value) {
    findings_.compare(place, attribute, std::string{node.attribute(attribute).value()}, value);
  }

  void check_adaptation_set(xml_node adaptation_set) {
    const Track* first = nullptr;
    for (const xml_node node : adaptation_set.children("Representation")) {
      const Track* const track = media_.find_track(node.attribute("id").value());
      if (track == nullptr) {
        findings_.add(name_, "Representation {}: there is no such track", node.attribute("id").value());
        continue;
      }
      named_.push_back(track);
      if (track->kind == TrackKind::kText) {
        check_subtitles(fmt::format("{}: Representation {}", name_, track->id), adaptation_set, node, *track);
        continue;
      }
      check_representation(fmt::format("{}: Representation {}", name_, track->id), node, *track);
      if (first == nullptr) {
        first = track;
        check_template(fmt::format("{}: AdaptationSet of {}", name_, track->group), adaptation_set, *track);
      }
      if (track->group != first->group)
        findings_.add(name_, "{} and {} are in one AdaptationSet", first->id, track->id);
      if (is_single_file(*track)) {
        check_single_file(fmt::format("{}: Representation {}", name_, track->id), node, *track);
      } else {
        check_names(adaptation_set.child("SegmentTemplate"), *track);
      }
    }
  }

  void check_part_set(xml_node adaptation_set) {
    for (const xml_node node : adaptation_set.children("Representation")) {
      const std::string id = node.attribute("id").value(), place = fmt::format("{}: Representation {}", name_, id);
      const auto track =
          std::ranges::find_if(media_.tracks, [&](const Track& each) { return part_representation(each) == id; });
      if (track == media_.tracks.end() || !track->parts) {
        findings_.add(place, "there is no track with such parts");
        continue;
      }
      const std::uint64_t listed = first_with_parts(*track),
                          first = adaptation_set.child("SegmentTemplate").attribute("startNumber").as_ullong();
      // The manifest is written with a segment. Of parts that come later, the oldest may leave the index.
      if (first > listed || first + 1 < listed || first < track->first_number) {
        findings_.add(place, "startNumber is {}, but parts are listed from segment {} on", first, listed);
        continue;
      }
      const xml_node names = node.child("SegmentTemplate");
      findings_.compare(place, "media", expand(names.attribute("media").value(), id, first, 1),
                        track->parts->part_uri(first, 1));
      if (track->init)
        findings_.compare(place, "initialization", std::string{names.attribute("initialization").value()},
                          track->init->uri);
      check_part_times(place, adaptation_set.child("SegmentTemplate").child("SegmentTimeline"), *track, first);
    }
  }

  /// Only segments that are there: of others, the manifest promises a time.
  void check_part_times(const std::string& place, xml_node timeline, const Track& track, std::uint64_t first) {
    const auto count = static_cast<std::ptrdiff_t>(first - track.first_number);
    std::uint64_t time = std::accumulate(track.durations.begin(), track.durations.begin() + count,
                                         static_cast<std::uint64_t>(track.offset) + track.start);
    std::uint64_t number = first;
    for (const xml_node run : timeline.children("S")) {
      if (number >= track.first_number + track.durations.size()) return;
      const std::uint64_t ticks = track.durations[number - track.first_number];
      const std::string here = fmt::format("{}, segment {}", place, number);
      findings_.compare(here, "t", run.attribute("t").as_ullong(), time);
      findings_.compare(here, "d", run.attribute("d").as_ullong(), ticks);
      const auto found = std::ranges::find(track.parts->segments, number, &SegmentParts::segment);
      if (found != track.parts->segments.end() && ticks == nominal_ticks(track))
        findings_.compare(here, "k", run.attribute("k").as_ullong(), found->parts.size());
      time += ticks;
      ++number;
    }
  }

  std::uint64_t nominal_ticks(const Track& track) const {
    return static_cast<std::uint64_t>(std::llround(media_.nominal_segment_seconds * track.timescale));
  }

  void check_thumbnails(xml_node adaptation_set) {
    const std::string place = name_ + ": the thumbnails";
    if (!media_.sheets) return findings_.add(place, "the index has none");
    const ThumbnailSheets& sheets = *media_.sheets;
    const xml_node segments = adaptation_set.child("SegmentTemplate"),
                   representation = adaptation_set.child("Representation");
    check_attribute(place, segments, "timescale", std::to_string(sheets.timescale));
    check_attribute(place, segments, "duration", std::to_string(sheets.ticks * sheets.pictures_per_sheet()));
    check_attribute(place, segments, "startNumber", std::to_string(sheets.first_number));
    findings_.compare(
        place, "media",
        expand(segments.attribute("media").value(), representation.attribute("id").value(), sheets.first_number),
        sheets.sheet_uri(0));
    check_attribute(place, representation.child("EssentialProperty"), "value",
                    fmt::format("{}x{}", sheets.columns, sheets.rows));
  }

  void check_subtitles(const std::string& place, xml_node adaptation_set, xml_node node, const Track& track) {
    check_attribute(place, adaptation_set, "mimeType", track.mime);
    check_label(place, adaptation_set, track);
    findings_.compare(place, "BaseURL", std::string{node.child("BaseURL").text().get()}, track.whole.value_or(""));
  }

  void check_label(const std::string& place, xml_node adaptation_set, const Track& track) {
    check_attribute(place, adaptation_set, "lang", track.label.language);
    findings_.compare(place, "Label", std::string{adaptation_set.child("Label").text().get()}, track.label.name);
    std::vector<std::string> roles;
    for (const xml_node role : adaptation_set.children("Role")) roles.emplace_back(role.attribute("value").value());
    findings_.compare(place, "Role", fmt::format("{}", fmt::join(roles, " ")),
                      fmt::format("{}", fmt::join(dash_roles(media_, track), " ")));
  }

  void check_representation(const std::string& place, xml_node node, const Track& track) {
    findings_.compare_rate(place, "bandwidth", node.attribute("bandwidth").as_double(),
                           track.bitrate.peak.bits_per_second());
    check_attribute(place, node, "codecs", track.codec);
    if (track.kind == TrackKind::kVideo) {
      check_attribute(place, node, "width", std::to_string(track.width));
      check_attribute(place, node, "height", std::to_string(track.height));
    } else {
      check_attribute(place, node, "audioSamplingRate", std::to_string(track.sample_rate));
    }
  }

  void check_template(const std::string& place, xml_node adaptation_set, const Track& track) {
    check_attribute(place, adaptation_set, "mimeType", track.mime);
    check_label(place, adaptation_set, track);
    const bool single_file = is_single_file(track);
    check_attribute(place, adaptation_set, single_file ? "subsegmentAlignment" : "segmentAlignment", "true");
    check_attribute(place, adaptation_set, single_file ? "subsegmentStartsWithSAP" : "startWithSAP", "1");
    if (track.kind == TrackKind::kVideo) {
      check_frame_rate(place, adaptation_set, track);
      check_colors(place, adaptation_set, track);
    }
    if (single_file) return;
    const xml_node segments = adaptation_set.child("SegmentTemplate");
    check_attribute(place, segments, "timescale", std::to_string(track.timescale));
    check_attribute(place, segments, "presentationTimeOffset", std::to_string(timeline_begin(media_, track)));
    check_attribute(place, segments, "startNumber", std::to_string(track.first_number));
    check_timeline(place, segments.child("SegmentTimeline"), track);
  }

  void check_colors(const std::string& place, xml_node adaptation_set, const Track& track) {
    for (const auto& [scheme, code] : dash_color_properties(track.color.value_or(ColorCodes{}))) {
      const xml_node property =
          adaptation_set.find_child_by_attribute("SupplementalProperty", "schemeIdUri", scheme.c_str());
      findings_.compare(place, scheme, std::string{property.attribute("value").value()}, std::to_string(code));
    }
  }

  void check_frame_rate(const std::string& place, xml_node adaptation_set, const Track& track) {
    const std::string whole = std::to_string(track.frame_rate_num);
    const std::string stated = adaptation_set.attribute("frameRate").value();
    if (track.frame_rate_den == 1 && stated == whole) return;
    findings_.compare(place, "frameRate", stated, fmt::format("{}/{}", whole, track.frame_rate_den));
  }

  /// Adds one finding for each S element that differs from its segments.
  void check_timeline(const std::string& place, xml_node timeline, const Track& track) {
    std::uint64_t time = static_cast<std::uint64_t>(track.offset) + track.start;
    std::size_t segment = 0, line = 0;
    for (const xml_node run : timeline.children("S")) {
      const std::string here = fmt::format("{}, S {}", place, ++line);
      const std::uint64_t ticks = run.attribute("d").as_ullong();
      const std::size_t most = track.durations.size() - segment;
      const std::uint64_t count = run.attribute("r").as_ullong() + 1;
      if (const auto t = run.attribute("t")) findings_.compare(here, "t", t.as_ullong(), time);
      if (count > most)
        return findings_.add(place, "the timeline has more segments than the {} of the index", track.durations.size());
      const auto begin = track.durations.begin() + static_cast<std::ptrdiff_t>(segment);
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      const auto wrong = std::find_if(begin, end, [&](std::uint64_t duration) { return duration != ticks; });
      if (wrong != end)
        findings_.add(here, "d is {}, but segment {} lasts {} ticks", ticks,
                      track.first_number + static_cast<std::uint64_t>(wrong - track.durations.begin()), *wrong);
      for (auto duration = begin; duration != end; ++duration) time += *duration;
      segment += static_cast<std::size_t>(count);
    }
    if (segment != track.durations.size()) {
      findings_.add(place, "the timeline has {} segments, but the index {}", segment, track.durations.size());
    }
  }

  /// The timeline is in the media file itself, which media_check checks.
  void check_single_file(const std::string& place, xml_node representation, const Track& track) {
    findings_.compare(place, "BaseURL", std::string{representation.child("BaseURL").text().get()}, track.uri);
    const xml_node segments = representation.child("SegmentBase");
    check_attribute(place, segments, "timescale", std::to_string(track.timescale));
    check_attribute(place, segments, "presentationTimeOffset", std::to_string(track.offset));
    if (!track.init) return;
    check_attribute(place, segments, "indexRange", dash_index_range(track));
    check_attribute(place + ", Initialization", segments.child("Initialization"), "range",
                    dash_byte_range(track.init->range));
  }

  void check_names(xml_node segments, const Track& track) {
    const std::string place = fmt::format("{}: SegmentTemplate for {}", name_, track.id);
    const std::string initialization = segments.attribute("initialization").value();
    if (track.init) findings_.compare(place, "initialization", expand(initialization, track.id, 0), track.init->uri);
    const std::string media = segments.attribute("media").value();
    if (track.sizes.empty()) return;
    for (const std::size_t i : {std::size_t{0}, track.sizes.size() - 1}) {
      findings_.compare(place, "media", expand(media, track.id, track.first_number + i),
                        track.segment(static_cast<SegmentIndex>(i)).uri);
    }
  }

  const ManifestFiles& files_;
  const std::string& name_;
  const Presentation& media_;
  Findings& findings_;
  std::vector<const Track*> named_;
};

}  // namespace

void check_dash(const ManifestFiles& files, const std::string& name, const Presentation& media, Findings& findings) {
  DashCheck{files, name, media, findings}.run();
}

}  // namespace tributary::segmenter
