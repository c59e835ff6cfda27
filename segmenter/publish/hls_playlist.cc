#include "segmenter/publish/hls_playlist.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>

#include "segmenter/libav/track_time.hh"
#include "segmenter/publish/dash_manifest.hh"
#include "segmenter/publish/hls_parts.hh"
#include "segmenter/publish/publication.hh"

namespace tributary::segmenter {
namespace {

constexpr int kVersion = 7;           // 6 has EXT-X-MAP without I-frames only; players of CMAF expect 7
constexpr int kVersionWithParts = 9;  // that of servers that send what has changed only
constexpr const char* kSoundGroup = "audio";
constexpr const char* kSubtitlesGroup = "subtitles";

/// The sound tracks; a player takes one of them.
struct SoundGroup {
  std::vector<const Track*> tracks;
  std::string codecs;  // ",mp4a.40.2"
  DataRate peak, average;
};

SoundGroup sound_of(const Presentation& presentation) {
  SoundGroup group;
  for (const Track& track : presentation.tracks) {
    if (track.kind != TrackKind::kAudio) continue;
    group.tracks.push_back(&track);
    if (group.codecs.find(track.codec) == std::string::npos) group.codecs += "," + track.codec;
    group.peak = std::max(group.peak, track.bitrate.peak);
    group.average = std::max(group.average, track.bitrate.average);
  }
  return group;
}

std::string language_attribute(const Track& track) {
  return track.label.language.empty() ? "" : fmt::format("LANGUAGE=\"{}\",", track.label.language);
}

std::string characteristics_attribute(const Track& track) {
  const std::string characteristics = hls_characteristics(track);
  return characteristics.empty() ? "" : fmt::format("CHARACTERISTICS=\"{}\",", characteristics);
}

/// As a quoted string may have it, which has no quotation mark inside (RFC 8216 section 4.2).
std::string quotable(std::string text) {
  std::ranges::replace(text, '"', '\'');
  return text;
}

const char* yes_no(bool value) { return value ? "YES" : "NO"; }

/// The name of a track, which need not be unique.
const std::string& own_name(const Track& track) {
  if (!track.label.name.empty()) return track.label.name;
  return track.label.language.empty() ? track.id : track.label.language;
}

void add_sound(std::string& out, const Presentation& presentation, const Track& track, bool is_default) {
  out += fmt::format(
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"{}\",NAME=\"{}\",{}DEFAULT={},AUTOSELECT={},{}CHANNELS=\"{}\",URI="
      "\"{}\"\n",
      kSoundGroup, rendition_name(presentation, track), language_attribute(track), yes_no(is_default),
      yes_no(is_default || is_chosen_by_language(track)), characteristics_attribute(track), track.channels,
      media_playlist_name(track));
}

void add_subtitles(std::string& out, const Presentation& presentation, const Track& track) {
  out +=
      fmt::format("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"{}\",NAME=\"{}\",{}DEFAULT=NO,AUTOSELECT={},{}{}URI=\"{}\"\n",
                  kSubtitlesGroup, rendition_name(presentation, track), language_attribute(track),
                  yes_no(is_chosen_by_language(track)), track.label.has(TrackRole::kForced) ? "FORCED=YES," : "",
                  characteristics_attribute(track), media_playlist_name(track));
}

void add_variant(std::string& out, const Track& track, const SoundGroup& sound, bool subtitles) {
  out += fmt::format(
      "#EXT-X-STREAM-INF:BANDWIDTH={},AVERAGE-BANDWIDTH={},CODECS=\"{}{}\",RESOLUTION={}x{},FRAME-RATE={:.3f}"
      ","
      "CLOSED-CAPTIONS=NONE",
      track.bitrate.peak.whole_bits_per_second() + sound.peak.whole_bits_per_second(),
      track.bitrate.average.whole_bits_per_second() + sound.average.whole_bits_per_second(), track.codec, sound.codecs,
      track.width, track.height, static_cast<double>(track.frame_rate_num) / track.frame_rate_den);
  if (const std::string range = hls_video_range(track.color); !range.empty()) out += ",VIDEO-RANGE=" + range;
  if (!sound.tracks.empty()) out += fmt::format(",AUDIO=\"{}\"", kSoundGroup);
  if (subtitles) out += fmt::format(",SUBTITLES=\"{}\"", kSubtitlesGroup);
  out += "\n" + media_playlist_name(track) + "\n";
}

/// Tells the size of a segment that is a file of its own, as EXT-X-BYTERANGE does of others, in kbit/s. Texts are small.
std::string bitrate_tag(const Track& track, DataSize size, std::int64_t microseconds) {
  if (track.kind == TrackKind::kText || microseconds <= 0) return "";
  return fmt::format("#EXT-X-BITRATE:{}\n",
                     std::max<std::int64_t>(
                         1, std::llround(8e3 * static_cast<double>(size.bytes()) / static_cast<double>(microseconds))));
}

/// The time at which the first listed segment was recorded.
std::string program_time(const Presentation& presentation, const Track& track) {
  return utc_text(presentation.live->availability_start +
                  std::chrono::milliseconds{rounded(track.start, track.timescale, 1000)});
}

/// A playlist of images, after the specification that Roku and others play.
void add_thumbnails(std::string& out, const ThumbnailSheets& sheets) {
  out += fmt::format("#EXT-X-IMAGE-STREAM-INF:BANDWIDTH={},CODECS=\"jpeg\",RESOLUTION={}x{},URI=\"{}\"\n",
                     sheets.bandwidth().whole_bits_per_second(), sheets.width, sheets.height, image_playlist_name());
}

}  // namespace

std::string media_playlist_name(const Track& track) { return fmt::format("{}/{}", track.id, kMediaPlaylistName); }

std::string image_playlist_name() { return fmt::format("{}/{}", kThumbnailsName, kMediaPlaylistName); }

std::string rendition_name(const Presentation& presentation, const Track& track) {
  const auto alike = std::count_if(presentation.tracks.begin(), presentation.tracks.end(), [&](const Track& other) {
    return other.kind == track.kind && own_name(other) == own_name(track);
  });
  std::string name = alike > 1 ? fmt::format("{} · {}", own_name(track), track.id) : own_name(track);
  return quotable(std::move(name));
}

std::string hls_title(const Presentation& presentation) { return quotable(presentation.title); }

std::string hls_characteristics(const Track& track) {
  constexpr std::array<std::tuple<TrackKind, TrackRole, std::string_view>, 4> kCharacteristics{
      {{TrackKind::kAudio, TrackRole::kDescription, "public.accessibility.describes-video"},
       {TrackKind::kAudio, TrackRole::kIntelligible, "public.accessibility.enhances-speech-intelligibility"},
       {TrackKind::kText, TrackRole::kCaption,
        "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"},
       {TrackKind::kText, TrackRole::kEasyReader, "public.easy-to-read"}}};
  std::string text;
  for (const auto& [kind, role, characteristics] : kCharacteristics) {
    if (track.kind == kind && track.label.has(role))
      text += fmt::format("{}{}", text.empty() ? "" : ",", characteristics);
  }
  return text;
}

bool is_chosen_by_language(const Track& track) { return !track.label.has(TrackRole::kCommentary); }

std::string hls_video_range(const std::optional<ColorCodes>& color) {
  if (!color) return "";
  return color->is_pq() ? "PQ" : color->is_hlg() ? "HLG" : "";
}

std::string hls_byte_range(ByteRange range) { return fmt::format("{}@{}", range.size().bytes(), range.begin.bytes()); }

std::string write_master_playlist(const Presentation& presentation) {
  const SoundGroup sound = sound_of(presentation);
  std::string out = fmt::format("#EXTM3U\n#EXT-X-VERSION:{}\n#EXT-X-INDEPENDENT-SEGMENTS\n", kVersion);
  if (!presentation.title.empty())
    out += fmt::format("#EXT-X-SESSION-DATA:DATA-ID=\"{}\",VALUE=\"{}\"\n", kHlsTitleId, hls_title(presentation));
  for (const Track* track : sound.tracks) add_sound(out, presentation, *track, track == sound.tracks.front());
  const auto is_text = [](const Track& track) { return track.kind == TrackKind::kText; };
  for (const Track& track : presentation.tracks) {
    if (is_text(track)) add_subtitles(out, presentation, track);
  }
  const bool subtitles = std::any_of(presentation.tracks.begin(), presentation.tracks.end(), is_text);
  for (const Track& track : presentation.tracks) {
    if (track.kind == TrackKind::kVideo) add_variant(out, track, sound, subtitles);
  }
  if (presentation.sheets) add_thumbnails(out, *presentation.sheets);
  return out;
}

std::string write_image_playlist(const Presentation& presentation) {
  const ThumbnailSheets& sheets = *presentation.sheets;
  const auto seconds = [&](std::uint64_t ticks) { return static_cast<double>(ticks) / sheets.timescale; };
  const auto end = static_cast<double>(presentation_milliseconds(presentation)) / 1000;
  std::string list;
  double longest = 0;
  for (std::size_t i = 0; i < sheets.sizes.size(); ++i) {
    // The last picture stands for what is left of the title.
    const double begin = seconds(i * sheets.pictures_per_sheet() * sheets.ticks);
    const double lasts = std::min(seconds(sheets.ticks_of(i)), end - begin);
    longest = std::max(longest, lasts);
    list += fmt::format("#EXTINF:{:.6f},\n#EXT-X-TILES:RESOLUTION={}x{},LAYOUT={}x{},DURATION={:.6f}\n{}\n", lasts,
                        sheets.width, sheets.height, sheets.columns, sheets.rows, seconds(sheets.ticks),
                        below_playlist(std::string{kThumbnailsName}, sheets.sheet_uri(i)));
  }
  return fmt::format(
             "#EXTM3U\n#EXT-X-VERSION:{}\n#EXT-X-TARGETDURATION:{}\n#EXT-X-MEDIA-SEQUENCE:{}\n"
             "#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-IMAGES-ONLY\n",
             kVersion, std::max<std::int64_t>(1, std::llround(longest)), sheets.first_number) +
         list + "#EXT-X-ENDLIST\n";
}

std::string write_media_playlist(const Presentation& presentation, const Track& track) {
  const std::int64_t target = target_duration(presentation);
  std::string out = fmt::format("#EXTM3U\n#EXT-X-VERSION:{}\n#EXT-X-TARGETDURATION:{}\n{}#EXT-X-MEDIA-SEQUENCE:{}\n",
                                track.parts ? kVersionWithParts : kVersion, target,
                                track.parts ? hls_part_head(presentation, target) : "", track.first_number);
  if (presentation.live) {
    out += fmt::format("#EXT-X-DISCONTINUITY-SEQUENCE:{}\n", presentation.live->interruptions);
  } else {
    out += "#EXT-X-PLAYLIST-TYPE:VOD\n";
  }
  out += "#EXT-X-INDEPENDENT-SEGMENTS\n";
  if (track.init) {
    out += fmt::format("#EXT-X-MAP:URI=\"{}\"", below_playlist(track.id, track.init->uri));
    if (!track.init->whole_file) out += fmt::format(",BYTERANGE=\"{}\"", hls_byte_range(track.init->range));
    out += "\n";
  }
  if (presentation.live) out += fmt::format("#EXT-X-PROGRAM-DATE-TIME:{}\n", program_time(presentation, track));
  // Rounded sums from the start of the timeline, so that a segment has the same duration in every version of the list.
  std::uint64_t end = track.start;
  std::int64_t stated = rounded(end, track.timescale, kHlsTicks);
  for (std::size_t i = 0; i < track.durations.size(); ++i) {
    out += hls_parts_of(track, track.first_number + i, end);
    end += track.durations[i];
    const std::int64_t duration = rounded(end, track.timescale, kHlsTicks) - stated;
    stated += duration;
    const Resource segment = track.segment(static_cast<SegmentIndex>(i));
    out += fmt::format("#EXTINF:{},\n", hls_seconds(duration));
    out += segment.whole_file ? bitrate_tag(track, segment.range.size(), duration)
                              : fmt::format("#EXT-X-BYTERANGE:{}\n", hls_byte_range(segment.range));
    out += below_playlist(track.id, segment.uri) + "\n";
  }
  if (presentation.complete) return out + "#EXT-X-ENDLIST\n";
  return out + hls_parts_of(track, track.first_number + track.durations.size(), end) +
         hls_part_tail(presentation, track);
}

std::int64_t target_duration(const Presentation& presentation) {
  // In a live playlist it must not change. A segment of sound is at most a frame longer than the picture's.
  constexpr double kFrameOfSound = 0.024;
  if (presentation.live)
    return std::max<std::int64_t>(1, std::llround(presentation.nominal_segment_seconds + kFrameOfSound));
  std::int64_t longest = 1;
  for (const Track& track : presentation.tracks) {
    for (const std::uint64_t ticks : track.durations) longest = std::max(longest, rounded(ticks, track.timescale, 1));
  }
  return longest;
}

}  // namespace tributary::segmenter
