#include "segmenter/check/hls_check.hh"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "segmenter/publish/hls_parts.hh"
#include "segmenter/publish/hls_playlist.hh"

namespace tributary::segmenter {
namespace {

namespace fs = std::filesystem;

/// NAME=VALUE,NAME="VALUE" (RFC 8216 section 4.2). Values without their quotes.
using Attributes = std::map<std::string, std::string>;

Attributes attributes_in(const std::string& text) {
  Attributes attributes;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t equals = std::min(text.find('=', at), text.size());
    const std::string name = text.substr(at, equals - at);
    const bool quoted = equals + 1 < text.size() && text[equals + 1] == '"';
    const std::size_t begin = std::min(equals + (quoted ? 2 : 1), text.size());
    const std::size_t end = std::min(text.find(quoted ? '"' : ',', begin), text.size());
    attributes[name] = text.substr(begin, end - begin);
    at = end + (quoted ? 2 : 1);
  }
  return attributes;
}

/// One tag ("#EXTINF" and the text behind the colon) or the name of a file.
struct Line {
  std::string place;  // "low/playlist.m3u8:9"
  std::string tag, text;
};

std::vector<Line> read_playlist(const ManifestFiles& files, const std::string& name, Findings& findings) {
  const auto content = files.read(name);
  if (!content) {
    findings.add(name, "cannot be read");
    return {};
  }
  std::vector<Line> lines;
  std::istringstream in{*content};
  std::string text;
  for (std::size_t number = 1; std::getline(in, text); ++number) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    const std::string place = fmt::format("{}:{}", name, number);
    if (number == 1 && text != "#EXTM3U") findings.add(place, "is not #EXTM3U");
    if (text.empty()) continue;
    if (text[0] != '#') {
      lines.push_back({place, "", text});
    } else if (text.starts_with("#EXT")) {
      const std::size_t colon = std::min(text.find(':'), text.size());
      lines.push_back({place, text.substr(0, colon), text.substr(std::min(colon + 1, text.size()))});
    }
  }
  return lines;
}

/// The line with a tag that must stand exactly once. Adds a finding if it does not; null: there is none.
const Line* only(const std::vector<Line>& lines, const std::string& name, const std::string& tag, Findings& findings) {
  const auto is_tag = [&](const Line& line) { return line.tag == tag; };
  const auto count = std::count_if(lines.begin(), lines.end(), is_tag);
  if (count != 1) findings.add(name, "{} stands {} times", tag, count);
  return count == 0 ? nullptr : &*std::find_if(lines.begin(), lines.end(), is_tag);
}

class HlsCheck {
 public:
  HlsCheck(const ManifestFiles& files, const std::string& master, const Presentation& media, Findings& findings)
      : files_{files}, master_{master}, media_{media}, findings_{findings} {}

  void run() {
    const std::vector<Line> lines = read_playlist(files_, master_, findings_);
    if (lines.empty()) return;
    only(lines, master_, "#EXT-X-INDEPENDENT-SEGMENTS", findings_);
    check_title(lines);
    for (const Line& line : lines) {
      if (line.tag == "#EXT-X-MEDIA") take_rendition(line);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i].tag == "#EXT-X-STREAM-INF") check_variant(lines[i], i + 1 < lines.size() ? lines[i + 1].text : "");
    }
    for (const Track& track : media_.tracks) {
      if (std::find(named_.begin(), named_.end(), &track) == named_.end()) {
        findings_.add(master_, "does not name {}", media_playlist_name(track));
      }
      check_media_playlist(track);
    }
    check_thumbnails(lines);
  }

 private:
  void check_title(const std::vector<Line>& lines) {
    std::string stated;
    for (const Line& line : lines) {
      Attributes attributes = line.tag == "#EXT-X-SESSION-DATA" ? attributes_in(line.text) : Attributes{};
      if (attributes["DATA-ID"] == kHlsTitleId) stated = attributes["VALUE"];
    }
    findings_.compare(master_, "the title", stated, hls_title(media_));
  }

  void check_thumbnails(const std::vector<Line>& lines) {
    std::string stated;
    for (const Line& line : lines) {
      if (line.tag == "#EXT-X-IMAGE-STREAM-INF") stated = attributes_in(line.text)["URI"];
    }
    findings_.compare(master_, "the playlist of thumbnails", stated, media_.sheets ? image_playlist_name() : "");
    if (media_.sheets && files_.read(image_playlist_name()) != write_image_playlist(media_))
      findings_.add(image_playlist_name(), "is not what the index says");
  }

  const Track* track_of(const Line& line, const std::string& uri, TrackKind kind) {
    for (const Track& track : media_.tracks) {
      if (track.kind != kind || media_playlist_name(track) != uri) continue;
      named_.push_back(&track);
      return &track;
    }
    findings_.add(line.place, "\"{}\" is the playlist of no track", uri);
    return nullptr;
  }

  void take_rendition(const Line& line) {
    Attributes attributes = attributes_in(line.text);
    if (attributes["TYPE"] == "SUBTITLES") return take_subtitles(line, attributes);
    const Track* const track = track_of(line, attributes["URI"], TrackKind::kAudio);
    if (track == nullptr) return;
    findings_.compare(line.place, "TYPE", attributes["TYPE"], "AUDIO");
    check_label(line, attributes, *track);
    findings_.compare(line.place, "CHANNELS", attributes["CHANNELS"], std::to_string(track->channels));
    group_ = attributes["GROUP-ID"];
    if (sound_codecs_.find(track->codec) == std::string::npos) sound_codecs_ += "," + track->codec;
    sound_peak_ = std::max(sound_peak_, track->bitrate.peak.bits_per_second());
    sound_average_ = std::max(sound_average_, track->bitrate.average.bits_per_second());
  }

  void take_subtitles(const Line& line, Attributes& attributes) {
    const Track* const track = track_of(line, attributes["URI"], TrackKind::kText);
    if (track == nullptr) return;
    check_label(line, attributes, *track);
    findings_.compare(line.place, "FORCED", attributes["FORCED"], track->label.has(TrackRole::kForced) ? "YES" : "");
    subtitles_group_ = attributes["GROUP-ID"];
  }

  void check_label(const Line& line, Attributes& attributes, const Track& track) {
    findings_.compare(line.place, "NAME", attributes["NAME"], rendition_name(media_, track));
    findings_.compare(line.place, "LANGUAGE", attributes["LANGUAGE"], track.label.language);
    findings_.compare(line.place, "CHARACTERISTICS", attributes["CHARACTERISTICS"], hls_characteristics(track));
    const bool may_be_chosen = attributes["DEFAULT"] == "YES" || is_chosen_by_language(track);
    findings_.compare(line.place, "AUTOSELECT", attributes["AUTOSELECT"], may_be_chosen ? "YES" : "NO");
  }

  void check_variant(const Line& line, const std::string& uri) {
    const Track* const track = track_of(line, uri, TrackKind::kVideo);
    if (track == nullptr) return;
    Attributes attributes = attributes_in(line.text);
    const auto rate = [&](const char* name, double value) {
      findings_.compare_rate(line.place, name, std::strtod(attributes[name].c_str(), nullptr), value);
    };
    rate("BANDWIDTH", track->bitrate.peak.bits_per_second() + sound_peak_);
    rate("AVERAGE-BANDWIDTH", track->bitrate.average.bits_per_second() + sound_average_);
    const auto text = [&](const char* name, const std::string& value) {
      findings_.compare(line.place, name, attributes[name], value);
    };
    text("CODECS", track->codec + sound_codecs_);
    text("RESOLUTION", fmt::format("{}x{}", track->width, track->height));
    text("FRAME-RATE", fmt::format("{:.3f}", static_cast<double>(track->frame_rate_num) / track->frame_rate_den));
    text("CLOSED-CAPTIONS", "NONE");
    text("VIDEO-RANGE", hls_video_range(track->color));
    text("AUDIO", group_);
    text("SUBTITLES", subtitles_group_);
  }

  void check_media_playlist(const Track& track) {
    const std::string name = media_playlist_name(track);
    const std::vector<Line> lines = read_playlist(files_, name, findings_);
    if (lines.empty()) return;
    if (const Line* target = only(lines, name, "#EXT-X-TARGETDURATION", findings_)) {
      findings_.compare(target->place, "EXT-X-TARGETDURATION", target->text, std::to_string(target_duration(media_)));
    }
    if (media_.live) {
      only(lines, name, "#EXT-X-PROGRAM-DATE-TIME", findings_);
      none(lines, name, "#EXT-X-PLAYLIST-TYPE");
    } else if (const Line* type = only(lines, name, "#EXT-X-PLAYLIST-TYPE", findings_)) {
      findings_.compare(type->place, "EXT-X-PLAYLIST-TYPE", type->text, "VOD");
    }
    if (media_.complete) {
      only(lines, name, "#EXT-X-ENDLIST", findings_);
    } else {
      none(lines, name, "#EXT-X-ENDLIST");
    }
    if (!track.init) {
      none(lines, name, "#EXT-X-MAP");
    } else if (const Line* map = only(lines, name, "#EXT-X-MAP", findings_)) {
      Attributes attributes = attributes_in(map->text);
      findings_.compare(map->place, "EXT-X-MAP", resolved(track, attributes["URI"]), track.init->uri);
      check_range(map->place, attributes["BYTERANGE"], *track.init);
    }
    check_segments(track, name, lines);
    check_parts(track, name, lines);
  }

  void check_parts(const Track& track, const std::string& name, const std::vector<Line>& lines) {
    std::string right;
    std::uint64_t begin = track.start;
    for (std::size_t i = 0; i <= track.durations.size(); ++i) {
      right += hls_parts_of(track, track.first_number + i, begin);
      if (i < track.durations.size()) begin += track.durations[i];
    }
    std::string stated;
    for (const Line& line : lines) {
      if (line.tag == "#EXT-X-PART") stated += fmt::format("{}:{}\n", line.tag, line.text);
    }
    if (stated != right) findings_.add(name, "its parts are not those of the index");
  }

  void none(const std::vector<Line>& lines, const std::string& name, const std::string& tag) {
    if (std::any_of(lines.begin(), lines.end(), [&](const Line& line) { return line.tag == tag; }))
      findings_.add(name, "{} stands there", tag);
  }

  void check_segments(const Track& track, const std::string& name, const std::vector<Line>& lines) {
    std::size_t segments = 0;
    double duration = -1;
    std::string range;
    for (const Line& line : lines) {
      if (line.tag == "#EXTINF") {
        duration = std::strtod(line.text.c_str(), nullptr);
        const double exact = segments < track.durations.size()
                                 ? static_cast<double>(track.durations[segments]) / track.timescale
                                 : duration;
        // The durations are rounded to microseconds, and so is their sum.
        if (!(std::abs(duration - exact) < 1.01e-6)) {
          findings_.add(line.place, "EXTINF is {:.6f}, but the segment lasts {:.6f} s", duration, exact);
        }
      } else if (line.tag == "#EXT-X-BYTERANGE") {
        range = line.text;
      } else if (line.tag == "#EXT-X-BITRATE") {
        check_bitrate(track, segments, line);
      } else if (line.tag.empty()) {
        if (duration < 0) findings_.add(line.place, "there is no EXTINF before it");
        duration = -1;
        if (segments < track.sizes.size()) {
          const Resource segment = track.segment(static_cast<SegmentIndex>(segments));
          findings_.compare(line.place, "the segment", resolved(track, line.text), segment.uri);
          check_range(line.place, range, segment);
        }
        range.clear();
        ++segments;
      }
    }
    if (segments != track.sizes.size())
      findings_.add(name, "{} segments, but the index has {}", segments, track.sizes.size());
  }

  /// Playlists of earlier versions state none.
  void check_bitrate(const Track& track, std::size_t segment, const Line& line) {
    if (segment >= track.sizes.size()) return;
    const double seconds = static_cast<double>(track.durations[segment]) / track.timescale;
    const double exact = static_cast<double>(track.sizes[segment].bytes()) * 8e-3 / seconds;
    if (std::abs(std::strtod(line.text.c_str(), nullptr) - exact) > 1 + exact / 100)
      findings_.add(line.place, "EXT-X-BITRATE is {}, but the segment has {:.0f} kbit/s", line.text, exact);
  }

  void check_range(const std::string& place, const std::string& stated, const Resource& resource) {
    const std::string range = resource.whole_file ? "" : hls_byte_range(resource.range);
    findings_.compare(place, "the byte range", stated, range);
  }

  /// Turns a name relative to the playlist of a track into a name relative to the index.
  static std::string resolved(const Track& track, const std::string& uri) {
    return (fs::path{media_playlist_name(track)}.parent_path() / uri).lexically_normal().generic_string();
  }

  const ManifestFiles& files_;
  const std::string& master_;
  const Presentation& media_;
  Findings& findings_;
  std::vector<const Track*> named_;
  std::string group_, subtitles_group_, sound_codecs_;
  double sound_peak_ = 0, sound_average_ = 0;
};

}  // namespace

void check_hls(const ManifestFiles& files, const std::string& master, const Presentation& media, Findings& findings) {
  HlsCheck{files, master, media, findings}.run();
}

}  // namespace tributary::segmenter
