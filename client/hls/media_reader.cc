#include "hls/media_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/common_tags.hh"
#include "hls/lines/playlist_limits.hh"
#include "hls/lines/tag_rule.hh"
#include "hls/segment_list.hh"

namespace tributary::hls {
namespace {

struct MediaReading {
  MediaReading(const PlaylistVariables& outside, const MediaPlaylist* version) : before{version}, variables{outside} {}

  const MediaPlaylist* before;  // the version of which segments may be left out; null: none
  MediaPlaylist playlist;
  VariableScope variables;
  SegmentList segments{playlist};
  std::optional<Duration> target_duration;
  std::optional<std::uint64_t> media_sequence, discontinuity_sequence;
};

/// Without an offset, it begins with the file.
std::optional<ByteRange> range_of_map(const AttributeList& attributes, const PlaylistLine& line) {
  const auto stated = attributes.strict("BYTERANGE", stated_range, "a range \"length@offset\"");
  if (!stated) return std::nullopt;
  const DataSize begin = stated->offset.value_or(DataSize{});
  const ByteRange range{begin, begin + stated->length};
  if (range.end > kMaxFileSize) line.refuse("BYTERANGE ends beyond any file");
  return range;
}

/// A number that counts segments. Twice with different values, it would shift the vectors of encrypted segments.
void set_number(std::optional<std::uint64_t>& number, const PlaylistLine& line) {
  if (line.value.empty()) return;
  const auto value = whole_number(line.value);
  if (!value) line.refuse(fmt::format("{} is not a sequence number", in_quotes(line.value)));
  if (number && *number != *value) line.refuse(fmt::format("{} after {}: one of them is wrong", *value, *number));
  number = value;
}

void read_duration(MediaReading& reading, const PlaylistLine& line) {
  std::string_view text = line.value.substr(0, line.value.find(','));
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  // In lists of channels, -1 stands for a stream without end. Some packagers of HLS write it for an unknown duration.
  if (!reading.target_duration && text.starts_with("-1") && !text.starts_with("-1."))
    line.refuse(fmt::format("{} is not a duration from 0 to 86400 seconds", in_quotes(text)));
  reading.segments.set_duration(seconds(text));
}

/// One of no length says nothing.
void read_target(MediaReading& reading, const PlaylistLine& line) {
  const auto target = seconds(line.value);
  if (target && *target > Duration{}) reading.target_duration = target;
}

void read_range(MediaReading& reading, const PlaylistLine& line) {
  const auto range = stated_range(line.value);
  if (!range) line.refuse(fmt::format("{} is not a range \"length@offset\"", in_quotes(line.value)));
  reading.segments.set_range(*range);
}

void read_map(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  InitSection map;
  map.uri = required_address(attributes, line);
  map.range = range_of_map(attributes, line);
  reading.segments.set_map(std::move(map), line);
}

void read_type(MediaReading& reading, const PlaylistLine& line) {
  if (line.value == "VOD") reading.playlist.type = PlaylistType::kVod;
  if (line.value == "EVENT") reading.playlist.type = PlaylistType::kEvent;
}

void read_bitrate(MediaReading& reading, const PlaylistLine& line) {
  const auto kilobits = bits_per_second(line.value);
  reading.segments.set_bitrate(kilobits ? std::optional{1000 * *kilobits} : std::nullopt);
}

void read_tiles(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  const auto resolution = attributes.hint("RESOLUTION", extent);
  const auto layout = attributes.hint("LAYOUT", extent);
  const auto duration = attributes.hint("DURATION", seconds);
  reading.segments.set_tiles(resolution && layout && duration ? std::optional{Tiles{*resolution, *layout, *duration}}
                                                              : std::nullopt);
}

void read_server_control(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  ServerControl& control = reading.playlist.server_control;
  control.can_block_reload = attributes.yes("CAN-BLOCK-RELOAD");
  control.hold_back = attributes.hint("HOLD-BACK", seconds);
  control.part_hold_back = attributes.hint("PART-HOLD-BACK", seconds);
  control.can_skip_until = attributes.hint("CAN-SKIP-UNTIL", seconds);
}

void read_part(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  PartialSegment part;
  part.uri = required_address(attributes, line);
  part.duration = attributes.required("DURATION", seconds, "a duration from 0 to 86400 seconds");
  part.independent = attributes.yes("INDEPENDENT");
  part.gap = attributes.yes("GAP");
  reading.segments.add_part(std::move(part), attributes.strict("BYTERANGE", stated_range, "a range \"length@offset\""),
                            line);
}

void read_preload_hint(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  if (!attributes.is_word("TYPE", "PART")) return;
  PreloadHint hint;
  hint.uri = required_address(attributes, line);
  const auto bytes = [&](const char* name) -> std::optional<DataSize> {
    const auto number = attributes.hint(name, whole_number);
    return number ? std::optional{DataSize{static_cast<std::int64_t>(*number)}} : std::nullopt;
  };
  hint.begin = bytes("BYTERANGE-START").value_or(DataSize{});
  hint.length = bytes("BYTERANGE-LENGTH");
  reading.playlist.preload_hint = std::move(hint);
}

/// A report helps to ask sooner, and one that cannot be read counts for nothing.
void read_report(MediaReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  const auto segment = attributes.hint("LAST-MSN", whole_number);
  if (!segment || attributes.text("URI").empty() || reading.playlist.reports.size() == kMaxRenditions) return;
  reading.playlist.reports.push_back(
      {required_address(attributes, line), *segment, attributes.hint("LAST-PART", whole_number)});
}

/// Dateranges that were left out (RECENTLY-REMOVED-DATERANGES) count for nothing, as all of them do.
void read_skip(MediaReading& reading, const PlaylistLine& line) {
  if (reading.before == nullptr)
    line.refuse("the playlist leaves out segments that an earlier one had, and nobody asked for that");
  const std::uint64_t count =
      AttributeList{line, reading.variables}.required("SKIPPED-SEGMENTS", whole_number, "a number of segments");
  if (!reading.media_sequence) reading.media_sequence = 0;  // another one behind this is refused
  reading.segments.skip(count, *reading.media_sequence, *reading.before, line);
}

using MediaRule = TagRule<MediaReading>;

/// Tags that make a playlist a media playlist.
constexpr std::array kMediaOwnRules{
    MediaRule{"EXTINF", read_duration},
    MediaRule{"EXT-X-BYTERANGE", read_range},
    MediaRule{"EXT-X-MAP", read_map},
    MediaRule{"EXT-X-KEY",
              [](MediaReading& reading, const PlaylistLine& line) {
                reading.segments.set_key(encryption_key(AttributeList{line, reading.variables}, line), line);
              }},
    MediaRule{"EXT-X-DISCONTINUITY",
              [](MediaReading& reading, const PlaylistLine&) { reading.segments.count_discontinuity(); }},
    MediaRule{
        "EXT-X-PROGRAM-DATE-TIME",
        [](MediaReading& reading, const PlaylistLine& line) { reading.segments.set_date(calendar_time(line.value)); }},
    MediaRule{"EXT-X-GAP", [](MediaReading& reading, const PlaylistLine&) { reading.segments.set_gap(); }},
    MediaRule{"EXT-X-BITRATE", read_bitrate},
    MediaRule{"EXT-X-TILES", read_tiles},
    MediaRule{"EXT-X-TARGETDURATION", read_target},
    MediaRule{"EXT-X-MEDIA-SEQUENCE",
              [](MediaReading& reading, const PlaylistLine& line) { set_number(reading.media_sequence, line); }},
    MediaRule{
        "EXT-X-DISCONTINUITY-SEQUENCE",
        [](MediaReading& reading, const PlaylistLine& line) { set_number(reading.discontinuity_sequence, line); }},
    MediaRule{"EXT-X-I-FRAMES-ONLY",
              [](MediaReading& reading, const PlaylistLine&) { reading.playlist.i_frames_only = true; }},
    MediaRule{"EXT-X-IMAGES-ONLY",
              [](MediaReading& reading, const PlaylistLine&) { reading.playlist.images_only = true; }},
    MediaRule{"EXT-X-SERVER-CONTROL", read_server_control},
    MediaRule{"EXT-X-PART-INF",
              [](MediaReading& reading, const PlaylistLine& line) {
                reading.playlist.server_control.part_target =
                    AttributeList{line, reading.variables}.hint("PART-TARGET", seconds);
              }},
    MediaRule{"EXT-X-PART", read_part},
    MediaRule{"EXT-X-PRELOAD-HINT", read_preload_hint},
    MediaRule{"EXT-X-RENDITION-REPORT", read_report},
    MediaRule{"EXT-X-SKIP", read_skip},
};

/// Tags that decide no kind. Some multivariant playlists have those of media playlists too, without harm.
constexpr std::array kMediaSharedRules{
    MediaRule{"EXT-X-PLAYLIST-TYPE", read_type},
    MediaRule{"EXT-X-ENDLIST", [](MediaReading& reading, const PlaylistLine&) { reading.playlist.ended = true; }},
    MediaRule{"EXT-X-INDEPENDENT-SEGMENTS",
              [](MediaReading& reading, const PlaylistLine&) { reading.playlist.independent_segments = true; }},
    MediaRule{"EXT-X-START",
              [](MediaReading& reading, const PlaylistLine& line) {
                reading.playlist.start = playlist_start(line, reading.variables);
              }},
    MediaRule{"EXT-X-DEFINE", [](MediaReading& reading, const PlaylistLine& line) { reading.variables.define(line); }},
};

Duration longest(const std::vector<MediaSegment>& segments) {
  Duration most{};
  for (const MediaSegment& segment : segments) most = std::max(most, segment.duration);
  return most;
}

/// A number shifted by one tells whether a discontinuity stands before the first segment.
void check_discontinuities(const MediaPlaylist& playlist) {
  const std::uint64_t first = playlist.segments.front().discontinuity, stated = playlist.discontinuity_sequence;
  if (first < stated || first - stated > 1)
    throw PlaylistError{"EXT-X-SKIP: the version before has other discontinuity sequence numbers"};
}

}  // namespace

bool is_media_tag(std::string_view tag) { return find_rule<MediaReading>(kMediaOwnRules, tag) != nullptr; }

MediaPlaylist read_media(PlaylistLines lines, const PlaylistVariables& outside, const MediaPlaylist* before) {
  MediaReading reading{outside, before};
  while (const auto line = lines.next()) {
    if (line->is_address()) {
      reading.segments.add(address(*line, reading.variables), *line);
    } else if (const MediaRule* const own = find_rule<MediaReading>(kMediaOwnRules, line->tag)) {
      own->read(reading, *line);
    } else if (const MediaRule* const shared = find_rule<MediaReading>(kMediaSharedRules, line->tag)) {
      shared->read(reading, *line);
    }
  }
  MediaPlaylist& playlist = reading.playlist;
  playlist.media_sequence = reading.media_sequence.value_or(0);
  playlist.discontinuity_sequence = reading.discontinuity_sequence.value_or(0);
  reading.segments.finish(playlist.media_sequence, playlist.discontinuity_sequence, reading.target_duration);
  playlist.target_duration = reading.target_duration.value_or(longest(playlist.segments));
  if (playlist.skipped > 0 && reading.discontinuity_sequence) check_discontinuities(playlist);
  return std::move(playlist);
}

}  // namespace tributary::hls
