#include "hls/media_reader.hh"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hls/attribute_list.hh"
#include "hls/common_tags.hh"
#include "hls/playlist_limits.hh"
#include "hls/segment_list.hh"
#include "hls/tag_rule.hh"

namespace tributary::hls {
namespace {

struct Reading {
  explicit Reading(const PlaylistVariables& outside) : variables{outside} {}

  MediaPlaylist playlist;
  VariableScope variables;
  SegmentList segments{playlist};
  std::optional<Duration> target_duration;
  std::optional<std::uint64_t> media_sequence, discontinuity_sequence;
};

Duration required_seconds(std::string_view text, const PlaylistLine& line) {
  const auto duration = seconds(text);
  if (!duration) line.refuse(fmt::format("{} is not a duration from 0 to 86400 seconds", in_quotes(text)));
  return *duration;
}

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
  const auto value = whole_number(line.value);
  if (!value) line.refuse(fmt::format("{} is not a sequence number", in_quotes(line.value)));
  if (number && *number != *value) line.refuse(fmt::format("{} after {}: one of them is wrong", *value, *number));
  number = value;
}

void read_duration(Reading& reading, const PlaylistLine& line) {
  std::string_view text = line.value.substr(0, line.value.find(','));
  text = text.substr(0, text.find_last_not_of(" \t") + 1);
  reading.segments.set_duration(required_seconds(text, line));
}

void read_range(Reading& reading, const PlaylistLine& line) {
  const auto range = stated_range(line.value);
  if (!range) line.refuse(fmt::format("{} is not a range \"length@offset\"", in_quotes(line.value)));
  reading.segments.set_range(*range);
}

void read_map(Reading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  InitSection map;
  map.uri = required_address(attributes, line);
  map.range = range_of_map(attributes, line);
  reading.segments.set_map(std::move(map), line);
}

void read_type(Reading& reading, const PlaylistLine& line) {
  if (line.value == "VOD") reading.playlist.type = PlaylistType::kVod;
  if (line.value == "EVENT") reading.playlist.type = PlaylistType::kEvent;
}

void read_bitrate(Reading& reading, const PlaylistLine& line) {
  const auto kilobits = bits_per_second(line.value);
  reading.segments.set_bitrate(kilobits ? std::optional{1000 * *kilobits} : std::nullopt);
}

void read_tiles(Reading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  const auto resolution = attributes.hint("RESOLUTION", extent);
  const auto layout = attributes.hint("LAYOUT", extent);
  const auto duration = attributes.hint("DURATION", seconds);
  reading.segments.set_tiles(resolution && layout && duration ? std::optional{Tiles{*resolution, *layout, *duration}}
                                                              : std::nullopt);
}

void read_server_control(Reading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  ServerControl& control = reading.playlist.server_control;
  control.can_block_reload = attributes.yes("CAN-BLOCK-RELOAD");
  control.hold_back = attributes.hint("HOLD-BACK", seconds);
  control.part_hold_back = attributes.hint("PART-HOLD-BACK", seconds);
  control.can_skip_until = attributes.hint("CAN-SKIP-UNTIL", seconds);
}

using Rule = TagRule<Reading>;

/// Tags that make a playlist a media playlist.
constexpr std::array kOwnRules{
    Rule{"EXTINF", read_duration},
    Rule{"EXT-X-BYTERANGE", read_range},
    Rule{"EXT-X-MAP", read_map},
    Rule{"EXT-X-KEY",
         [](Reading& reading, const PlaylistLine& line) {
           reading.segments.set_key(encryption_key(AttributeList{line, reading.variables}, line), line);
         }},
    Rule{"EXT-X-DISCONTINUITY", [](Reading& reading, const PlaylistLine&) { reading.segments.count_discontinuity(); }},
    Rule{"EXT-X-PROGRAM-DATE-TIME",
         [](Reading& reading, const PlaylistLine& line) { reading.segments.set_date(calendar_time(line.value)); }},
    Rule{"EXT-X-GAP", [](Reading& reading, const PlaylistLine&) { reading.segments.set_gap(); }},
    Rule{"EXT-X-BITRATE", read_bitrate},
    Rule{"EXT-X-TILES", read_tiles},
    Rule{"EXT-X-TARGETDURATION",
         [](Reading& reading, const PlaylistLine& line) {
           reading.target_duration = required_seconds(line.value, line);
         }},
    Rule{"EXT-X-MEDIA-SEQUENCE",
         [](Reading& reading, const PlaylistLine& line) { set_number(reading.media_sequence, line); }},
    Rule{"EXT-X-DISCONTINUITY-SEQUENCE",
         [](Reading& reading, const PlaylistLine& line) { set_number(reading.discontinuity_sequence, line); }},
    Rule{"EXT-X-I-FRAMES-ONLY", [](Reading& reading, const PlaylistLine&) { reading.playlist.i_frames_only = true; }},
    Rule{"EXT-X-IMAGES-ONLY", [](Reading& reading, const PlaylistLine&) { reading.playlist.images_only = true; }},
    Rule{"EXT-X-SERVER-CONTROL", read_server_control},
    Rule{"EXT-X-PART-INF",
         [](Reading& reading, const PlaylistLine& line) {
           reading.playlist.server_control.part_target =
               AttributeList{line, reading.variables}.hint("PART-TARGET", seconds);
         }},
    Rule{"EXT-X-SKIP",
         [](Reading&, const PlaylistLine& line) {
           line.refuse("the playlist leaves out segments that an earlier one had, and nobody asked for that");
         }},
};

/// Tags that decide no kind. Some multivariant playlists have those of media playlists too, without harm.
constexpr std::array kSharedRules{
    Rule{"EXT-X-PLAYLIST-TYPE", read_type},
    Rule{"EXT-X-ENDLIST", [](Reading& reading, const PlaylistLine&) { reading.playlist.ended = true; }},
    Rule{"EXT-X-INDEPENDENT-SEGMENTS",
         [](Reading& reading, const PlaylistLine&) { reading.playlist.independent_segments = true; }},
    Rule{"EXT-X-START",
         [](Reading& reading, const PlaylistLine& line) {
           reading.playlist.start = playlist_start(line, reading.variables);
         }},
    Rule{"EXT-X-DEFINE", [](Reading& reading, const PlaylistLine& line) { reading.variables.define(line); }},
};

Duration longest(const std::vector<MediaSegment>& segments) {
  Duration most{};
  for (const MediaSegment& segment : segments) most = std::max(most, segment.duration);
  return most;
}

}  // namespace

bool is_media_tag(std::string_view tag) { return find_rule<Reading>(kOwnRules, tag) != nullptr; }

MediaPlaylist read_media(PlaylistLines lines, const PlaylistVariables& outside) {
  Reading reading{outside};
  while (const auto line = lines.next()) {
    if (line->is_address()) {
      reading.segments.add(address(*line, reading.variables), *line);
    } else if (const Rule* const own = find_rule<Reading>(kOwnRules, line->tag)) {
      own->read(reading, *line);
    } else if (const Rule* const shared = find_rule<Reading>(kSharedRules, line->tag)) {
      shared->read(reading, *line);
    }
  }
  MediaPlaylist& playlist = reading.playlist;
  playlist.media_sequence = reading.media_sequence.value_or(0);
  playlist.discontinuity_sequence = reading.discontinuity_sequence.value_or(0);
  reading.segments.finish(playlist.media_sequence, playlist.discontinuity_sequence);
  playlist.target_duration = reading.target_duration.value_or(longest(playlist.segments));
  return std::move(playlist);
}

}  // namespace tributary::hls
