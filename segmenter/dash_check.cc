#include "segmenter/dash_check.hh"

#include <algorithm>
#include <pugixml.hpp>
#include <regex>

#include "segmenter/dash_manifest.hh"
#include "segmenter/file_bytes.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;
using pugi::xml_node;

/// "PT1H2M3.456S" in milliseconds; -1 for anything else.
double milliseconds_of(const std::string& text) {
  static const std::regex form{"PT(?:(\\d+)H)?(?:(\\d+)M)?(?:(\\d+(?:\\.\\d+)?)S)?"};
  std::smatch match;
  if (text.size() > 40 || !std::regex_match(text, match, form)) return -1;
  const auto part = [&](std::size_t i) { return match[i].matched ? std::stod(match[i].str()) : 0; };
  return 1000 * (3600 * part(1) + 60 * part(2) + part(3));
}

/// What a template names (ISO/IEC 23009-1 section 5.3.9.4.4).
std::string expand(std::string text, const std::string& id, std::uint64_t number) {
  static const std::regex field{"\\$Number(%0([1-9])d)?\\$"};
  text = std::regex_replace(text, std::regex{"\\$RepresentationID\\$"}, id);
  std::smatch match;
  if (!std::regex_search(text, match, field)) return text;
  const int width = match[2].matched ? std::stoi(match[2].str()) : 1;
  return fmt::format("{}{:0{}}{}", match.prefix().str(), number, width, match.suffix().str());
}

class DashCheck {
 public:
  DashCheck(const fs::path& directory, const std::string& name, const Presentation& media, Findings& findings)
      : path_{directory / name}, name_{name}, media_{media}, findings_{findings} {}

  void run() {
    const auto text = read_file(path_);
    if (!text) return findings_.add(name_, "cannot be read");
    pugi::xml_document document;
    const auto parsed = document.load_buffer(text->data(), text->size());
    if (!parsed) return findings_.add(name_, "byte {}: {}", parsed.offset, parsed.description());
    const xml_node mpd = document.child("MPD");
    check_attribute(name_, mpd, "type", "static");
    const double duration = milliseconds_of(mpd.attribute("mediaPresentationDuration").value());
    if (std::abs(duration - static_cast<double>(presentation_milliseconds(media_))) > 0.5) {
      findings_.add(name_, "mediaPresentationDuration is {}, but the picture lasts {} ms",
                    mpd.attribute("mediaPresentationDuration").value(), presentation_milliseconds(media_));
    }
    for (const xml_node period : mpd.children("Period")) {
      for (const xml_node adaptation_set : period.children("AdaptationSet"))
        check_adaptation_set(adaptation_set);
    }
    for (const Track& track : media_.tracks) {
      if (std::find(named_.begin(), named_.end(), &track) == named_.end()) {
        findings_.add(name_, "no Representation {}", track.id);
      }
    }
  }

 private:
  void check_attribute(const std::string& place, xml_node node, const char* attribute,
                       const std::string& value) {
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
      check_representation(fmt::format("{}: Representation {}", name_, track->id), node, *track);
      if (first == nullptr) {
        first = track;
        check_template(fmt::format("{}: AdaptationSet of {}", name_, track->group), adaptation_set, *track);
      }
      if (track->group != first->group)
        findings_.add(name_, "{} and {} are in one AdaptationSet", first->id, track->id);
      check_names(adaptation_set.child("SegmentTemplate"), *track);
    }
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
    check_attribute(place, adaptation_set, "segmentAlignment", "true");
    check_attribute(place, adaptation_set, "startWithSAP", "1");
    if (track.kind == TrackKind::kVideo) check_frame_rate(place, adaptation_set, track);
    const xml_node segments = adaptation_set.child("SegmentTemplate");
    check_attribute(place, segments, "timescale", std::to_string(track.timescale));
    check_attribute(place, segments, "presentationTimeOffset", std::to_string(track.offset));
    check_attribute(place, segments, "startNumber", std::to_string(track.first_number));
    check_timeline(place, segments.child("SegmentTimeline"), track);
  }

  void check_frame_rate(const std::string& place, xml_node adaptation_set, const Track& track) {
    const std::string whole = std::to_string(track.frame_rate_num);
    const std::string stated = adaptation_set.attribute("frameRate").value();
    if (track.frame_rate_den == 1 && stated == whole) return;
    findings_.compare(place, "frameRate", stated, fmt::format("{}/{}", whole, track.frame_rate_den));
  }

  /// One finding for each S that is not what its segments are.
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
        return findings_.add(place, "the timeline has more segments than the {} of the index",
                             track.durations.size());
      const auto begin = track.durations.begin() + static_cast<std::ptrdiff_t>(segment);
      const auto end = begin + static_cast<std::ptrdiff_t>(count);
      const auto wrong = std::find_if(begin, end, [&](std::uint64_t duration) { return duration != ticks; });
      if (wrong != end)
        findings_.add(here, "d is {}, but segment {} lasts {} ticks", ticks,
                      track.first_number + static_cast<std::uint64_t>(wrong - track.durations.begin()),
                      *wrong);
      for (auto duration = begin; duration != end; ++duration) time += *duration;
      segment += static_cast<std::size_t>(count);
    }
    if (segment != track.durations.size()) {
      findings_.add(place, "the timeline has {} segments, but the index {}", segment, track.durations.size());
    }
  }

  void check_names(xml_node segments, const Track& track) {
    const std::string place = fmt::format("{}: SegmentTemplate for {}", name_, track.id);
    const std::string initialization = segments.attribute("initialization").value();
    if (track.init)
      findings_.compare(place, "initialization", expand(initialization, track.id, 0), track.init->uri);
    const std::string media = segments.attribute("media").value();
    if (track.sizes.empty()) return;
    for (const std::size_t i : {std::size_t{0}, track.sizes.size() - 1}) {
      findings_.compare(place, "media", expand(media, track.id, track.first_number + i),
                        track.segment(static_cast<SegmentIndex>(i)).uri);
    }
  }

  fs::path path_;
  const std::string& name_;
  const Presentation& media_;
  Findings& findings_;
  std::vector<const Track*> named_;
};

}  // namespace

void check_dash(const fs::path& directory, const std::string& name, const Presentation& media,
                Findings& findings) {
  DashCheck{directory, name, media, findings}.run();
}

}  // namespace tributary::segmenter
