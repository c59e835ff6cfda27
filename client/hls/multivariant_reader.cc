#include "hls/multivariant_reader.hh"

#include <fmt/format.h>

#include <array>

#include "hls/lines/attribute_list.hh"
#include "hls/lines/common_tags.hh"
#include "hls/lines/playlist_error.hh"
#include "hls/lines/playlist_limits.hh"
#include "hls/lines/tag_rule.hh"
#include "units/text/named_values.hh"

namespace tributary::hls {
namespace {

struct MultivariantReading {
  MultivariantPlaylist playlist;
  VariableScope variables;
  std::optional<PlaylistLine> stream;  // an EXT-X-STREAM-INF whose address has not come yet

  std::size_t variant_count() const {
    return playlist.variants.size() + playlist.i_frame_variants.size() + playlist.image_variants.size();
  }
};

void require_room(std::size_t count, std::size_t most, std::string_view what, const PlaylistLine& line) {
  if (count == most) line.refuse(fmt::format("at most {} {} are read", most, what));
}

Variant variant(MultivariantReading& reading, const PlaylistLine& line, std::string uri) {
  require_room(reading.variant_count(), kMaxVariants, "variants", line);
  const AttributeList attributes{line, reading.variables};
  Variant read;
  read.uri = std::move(uri);
  read.bandwidth = attributes.hint("BANDWIDTH", bits_per_second).value_or(DataRate{});
  read.average_bandwidth = attributes.hint("AVERAGE-BANDWIDTH", bits_per_second);
  read.codecs = attributes.text("CODECS");
  read.supplemental_codecs = attributes.text("SUPPLEMENTAL-CODECS");
  read.resolution = attributes.hint("RESOLUTION", extent);
  read.frame_rate = attributes.hint("FRAME-RATE", decimal_number);
  read.audio = attributes.text("AUDIO");
  read.video = attributes.text("VIDEO");
  read.subtitles = attributes.text("SUBTITLES");
  read.no_closed_captions = attributes.is_word("CLOSED-CAPTIONS", "NONE");
  if (!read.no_closed_captions) read.closed_captions = attributes.text("CLOSED-CAPTIONS");
  read.hdcp_level = attributes.text("HDCP-LEVEL");
  read.video_range = attributes.text("VIDEO-RANGE");
  read.allowed_cpc = attributes.text("ALLOWED-CPC");
  read.pathway_id = attributes.text("PATHWAY-ID");
  read.stable_id = attributes.text("STABLE-VARIANT-ID");
  read.name = attributes.text("NAME");
  read.score = attributes.hint("SCORE", decimal_number);
  return read;
}

/// The address is an attribute. Without one, it is none.
void add_with_uri(std::vector<Variant>& variants, MultivariantReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  if (!attributes.has("URI")) return;
  variants.push_back(variant(reading, line, required_address(attributes, line)));
}

constexpr std::array<Named<RenditionKind>, 4> kRenditionKinds{{
    {"AUDIO", RenditionKind::kAudio},
    {"VIDEO", RenditionKind::kVideo},
    {"SUBTITLES", RenditionKind::kSubtitles},
    {"CLOSED-CAPTIONS", RenditionKind::kClosedCaptions},
}};

/// EXT-X-MEDIA. A rendition of another kind, or of no group, is left out: no variant can refer to it.
void read_media(MultivariantReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  const auto kind = value_named(kRenditionKinds, attributes.text("TYPE"));
  Rendition read;
  read.group = attributes.text("GROUP-ID");
  if (!kind || read.group.empty()) return;
  require_room(reading.playlist.renditions.size(), kMaxRenditions, "renditions", line);
  read.kind = *kind;
  if (attributes.has("URI")) read.uri = required_address(attributes, line);
  read.name = attributes.text("NAME");
  read.language = attributes.text("LANGUAGE");
  read.assoc_language = attributes.text("ASSOC-LANGUAGE");
  read.is_default = attributes.yes("DEFAULT");
  read.autoselect = read.is_default || attributes.yes("AUTOSELECT");
  read.forced = attributes.yes("FORCED");
  read.instream_id = attributes.text("INSTREAM-ID");
  read.characteristics = attributes.text("CHARACTERISTICS");
  read.channels = attributes.text("CHANNELS");
  read.stable_id = attributes.text("STABLE-RENDITION-ID");
  read.sample_rate = attributes.hint("SAMPLE-RATE", decimal_number);
  read.bit_depth = attributes.hint("BIT-DEPTH", decimal_number);
  reading.playlist.renditions.push_back(std::move(read));
}

void read_session_key(MultivariantReading& reading, const PlaylistLine& line) {
  require_room(reading.playlist.session_keys.size(), kMaxSessionKeys, "session keys", line);
  if (auto key = encryption_key(AttributeList{line, reading.variables}, line)) {
    reading.playlist.session_keys.push_back(std::move(*key));
  }
}

/// The first title counts. It is for people only: one that cannot be read stops no film.
void read_session_data(MultivariantReading& reading, const PlaylistLine& line) {
  if (!reading.playlist.title.empty()) return;
  try {
    const AttributeList attributes{line, reading.variables};
    if (attributes.text("DATA-ID") == "com.apple.hls.title") reading.playlist.title = attributes.text("VALUE");
  } catch (const PlaylistError&) {
    return;
  }
}

void read_steering(MultivariantReading& reading, const PlaylistLine& line) {
  const AttributeList attributes{line, reading.variables};
  if (attributes.has("SERVER-URI"))
    reading.playlist.steering =
        ContentSteering{required_address(attributes, line, "SERVER-URI"), attributes.text("PATHWAY-ID")};
}

using MultivariantRule = TagRule<MultivariantReading>;

/// Tags that make a playlist a multivariant one.
constexpr std::array kMultivariantOwnRules{
    MultivariantRule{"EXT-X-STREAM-INF",
                     [](MultivariantReading& reading, const PlaylistLine& line) { reading.stream = line; }},
    MultivariantRule{"EXT-X-I-FRAME-STREAM-INF",
                     [](MultivariantReading& reading, const PlaylistLine& line) {
                       add_with_uri(reading.playlist.i_frame_variants, reading, line);
                     }},
    MultivariantRule{"EXT-X-IMAGE-STREAM-INF",
                     [](MultivariantReading& reading, const PlaylistLine& line) {
                       add_with_uri(reading.playlist.image_variants, reading, line);
                     }},
    MultivariantRule{"EXT-X-MEDIA", read_media},
    MultivariantRule{"EXT-X-SESSION-KEY", read_session_key},
    MultivariantRule{"EXT-X-CONTENT-STEERING", read_steering},
};

/// Tags that do not.
constexpr std::array kMultivariantSharedRules{
    MultivariantRule{"EXT-X-SESSION-DATA", read_session_data},
    MultivariantRule{
        "EXT-X-INDEPENDENT-SEGMENTS",
        [](MultivariantReading& reading, const PlaylistLine&) { reading.playlist.independent_segments = true; }},
    MultivariantRule{"EXT-X-START",
                     [](MultivariantReading& reading, const PlaylistLine& line) {
                       reading.playlist.start = playlist_start(line, reading.variables);
                     }},
    MultivariantRule{"EXT-X-DEFINE",
                     [](MultivariantReading& reading, const PlaylistLine& line) { reading.variables.define(line); }},
};

/// An address without EXT-X-STREAM-INF is of no variant, and passed over.
void read_address(MultivariantReading& reading, const PlaylistLine& line) {
  if (!reading.stream) return;
  const PlaylistLine stream = *reading.stream;
  reading.stream.reset();
  reading.playlist.variants.push_back(variant(reading, stream, address(line, reading.variables)));
}

}  // namespace

bool is_multivariant_tag(std::string_view tag) {
  return find_rule<MultivariantReading>(kMultivariantOwnRules, tag) != nullptr;
}

MultivariantPlaylist read_multivariant(PlaylistLines lines, const PlaylistVariables& outside) {
  MultivariantReading reading{{}, VariableScope{outside}, {}};
  while (const auto line = lines.next()) {
    if (line->is_address()) {
      read_address(reading, *line);
    } else if (const MultivariantRule* const own = find_rule<MultivariantReading>(kMultivariantOwnRules, line->tag)) {
      own->read(reading, *line);
    } else if (const MultivariantRule* const shared =
                   find_rule<MultivariantReading>(kMultivariantSharedRules, line->tag)) {
      shared->read(reading, *line);
    }
  }
  reading.playlist.variables = reading.variables.values();
  return std::move(reading.playlist);
}

}  // namespace tributary::hls
